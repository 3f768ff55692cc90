import { expect, test } from 'vitest'
import { type Approvals, createApprovals } from '../approvals.ts'
import type { Subject } from '../subject.ts'
import { beginning } from './beginning.ts'

const subject = { kind: 'putBack', origin: undefined } as const

test.each<[string, (all: Approvals<Subject>, act: (all: Approvals<Subject>) => Promise<string>) => Promise<string>]>([
  ['asked at once', (all, act) => act(all)],
  ['asked while it is prepared', (all, act) => all.during(undefined, act)],
])('a yes to what is %s begins the question before anything is done', async (_, asking) => {
  const approvals = createApprovals<Subject>()
  const order: string[] = []
  const all = beginning(approvals, { begin: async () => void order.push('begun') })
  const asked = asking(all, (these) =>
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
  expect(await asked).toBe('result')
  expect(order).toEqual(['begun', 'done'])
})

test('what the frame has taken back is not done', async () => {
  const approvals = createApprovals<Subject>()
  const all = beginning(approvals, { begin: () => Promise.reject(new Error('taken back')) })
  let isDone = false
  const perform = async () => {
    isDone = true
  }
  const asked = all.during(undefined, (these) => these.ask({ subject, perform }))
  approvals.approve(approvals.current()?.key ?? 0)
  await expect(asked).rejects.toThrow('taken back')
  expect(isDone).toBe(false)
})
