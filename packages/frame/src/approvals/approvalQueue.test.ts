import { expect, test, vi } from 'vitest'
import { createApprovalQueue } from './approvalQueue.ts'

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: Error) => ({ error: error.message }),
  )

test('the queue shows one request at a time, in order of arrival', async () => {
  const approvals = createApprovalQueue<string>()
  const first = outcome(approvals.ask({ subject: 'a', perform: async () => 1 }))
  const second = outcome(approvals.ask({ subject: 'b', perform: async () => 2 }))
  expect(approvals.current()).toMatchObject({ subject: 'a', behind: 1, state: 'asking' })
  approvals.approve(approvals.current()!.key)
  expect(approvals.current()).toMatchObject({ subject: 'a', state: 'doing' })
  expect(await first).toEqual({ value: 1 })
  expect(approvals.current()).toMatchObject({ subject: 'b', behind: 0 })
  approvals.cancel(approvals.current()!.key)
  expect(await second).toEqual({ error: 'User rejected the request.' })
  expect(approvals.current()).toBeUndefined()
})

test('listeners are notified of each change until they unsubscribe', () => {
  const approvals = createApprovalQueue<string>()
  const [stays, leaves] = [vi.fn(), vi.fn()]
  approvals.subscribe(stays)
  const unsubscribe = approvals.subscribe(leaves)
  void outcome(approvals.ask({ subject: 'a', perform: async () => 1 }))
  expect([stays.mock.calls.length, leaves.mock.calls.length]).toEqual([1, 1])
  unsubscribe()
  approvals.abort()
  expect([stays.mock.calls.length, leaves.mock.calls.length]).toEqual([2, 1])
})

test('an approval takes effect only once, and only for the request on screen', async () => {
  const approvals = createApprovalQueue<string>()
  const perform = vi.fn(async () => 'done')
  const request = outcome(approvals.ask({ subject: 'a', perform }))
  const { key } = approvals.current()!
  approvals.approve(key + 1)
  approvals.approve(key)
  approvals.approve(key)
  approvals.cancel(key)
  expect(await request).toEqual({ value: 'done' })
  expect(perform).toHaveBeenCalledTimes(1)
})

test('an abort by the page rejects every pending request [R4.15]', async () => {
  const approvals = createApprovalQueue<string>()
  const request = ['a', 'b', 'c'].map((id) => outcome(approvals.ask({ id, subject: id, perform: async () => id })))
  approvals.abort()
  expect(await Promise.all(request)).toEqual(Array(3).fill({ error: 'Request was aborted' }))
  expect(approvals.current()).toBeUndefined()
})

test('a request that the page aborts during preparation is never shown [R4.15]', async () => {
  for (const [id, takenBack, result] of [
    ['a', undefined, { error: 'Request was aborted' }],
    [undefined, undefined, { error: 'Request was aborted' }],
    ['a', 'a', { error: 'Request was aborted' }],
    ['a', 'another', { value: 'done' }],
  ] as const) {
    const approvals = createApprovalQueue<string>()
    let prepared = (): void => {}
    const preparing = new Promise<void>((resolve) => (prepared = resolve))
    const answer = outcome(
      approvals.track(id, async (own) => {
        await preparing
        return own.ask({ id, subject: 'a', perform: async () => 'done' })
      }),
    )
    approvals.abort(takenBack)
    prepared()
    if ('value' in result) await vi.waitFor(() => approvals.approve(approvals.current()!.key))
    expect(await answer).toEqual(result)
    expect(approvals.current()).toBeUndefined()
  }
})

test('an abort with an ID rejects only that request [R4.15]', async () => {
  const approvals = createApprovalQueue<string>()
  const [first, second] = ['a', 'b'].map((id) => outcome(approvals.ask({ id, subject: id, perform: async () => id })))
  approvals.abort('a')
  approvals.abort('never')
  expect(await first).toEqual({ error: 'Request was aborted' })
  approvals.approve(approvals.current()!.key)
  expect(await second).toEqual({ value: 'b' })
})

test('an approved request completes and returns its result even if the page aborts it [R4.15]', async () => {
  const approvals = createApprovalQueue<string>()
  let finish = (_hash: string): void => {}
  const sent = outcome(
    approvals.ask({ id: 'a', subject: 'a', perform: () => new Promise<string>((resolve) => (finish = resolve)) }),
  )
  approvals.approve(approvals.current()!.key)
  approvals.abort()
  await Promise.resolve()
  finish('0xhash')
  expect(await sent).toEqual({ value: '0xhash' })
})

test('the queue rejects requests when it is full, and reports failures', async () => {
  const approvals = createApprovalQueue<string>()
  const request = Array.from({ length: 17 }, () =>
    outcome(
      approvals.ask({
        subject: 'a',
        perform: () => {
          throw new Error('broken')
        },
      }),
    ),
  )
  expect(await request[16]).toEqual({ error: 'Too many requests' })
  approvals.approve(approvals.current()!.key)
  expect(await request[0]).toEqual({ error: 'broken' })
  approvals.abort()
  await Promise.all(request)
})
