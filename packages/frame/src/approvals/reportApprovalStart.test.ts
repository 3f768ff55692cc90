import { expect, test } from 'vitest'
import { type ApprovalQueue, createApprovalQueue } from './approvalQueue.ts'
import type { ApprovalView } from './approvalViewModel.ts'
import { reportApprovalStart } from './reportApprovalStart.ts'

const subject = { kind: 'putBack', origin: undefined } as const

test.each<
  [
    string,
    (all: ApprovalQueue<ApprovalView>, act: (all: ApprovalQueue<ApprovalView>) => Promise<string>) => Promise<string>,
  ]
>([
  ['requested immediately', (all, act) => act(all)],
  ['tracked while it is being prepared', (all, act) => all.track(undefined, act)],
])('an approval that is %s is reported before the request is executed', async (_, asking) => {
  const approvals = createApprovalQueue<ApprovalView>()
  const order: string[] = []
  const all = reportApprovalStart(approvals, { begin: async () => void order.push('begun') })
  const request = asking(all, (these) =>
    these.ask({
      subject,
      perform: async () => {
        order.push('done')
        return 'result'
      },
    }),
  )
  expect(order).toEqual([])
  approvals.approve(approvals.current()?.key ?? 0)
  expect(await request).toBe('result')
  expect(order).toEqual(['begun', 'done'])
})

test('a request that the frame has cancelled is not executed', async () => {
  const approvals = createApprovalQueue<ApprovalView>()
  const all = reportApprovalStart(approvals, { begin: () => Promise.reject(new Error('taken back')) })
  let isDone = false
  const perform = async () => {
    isDone = true
  }
  const request = all.track(undefined, (these) => these.ask({ subject, perform }))
  approvals.approve(approvals.current()?.key ?? 0)
  await expect(request).rejects.toThrow('taken back')
  expect(isDone).toBe(false)
})
