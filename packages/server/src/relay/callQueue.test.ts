import { expect, test } from 'vitest'
import { createCallQueue } from './callQueue.ts'
import { maxUnreadBytes } from './limits/relayLimits.ts'

/** Creates a queue for a client that can disconnect, read slowly and exceed its cost limit. */
function queueOf() {
  const state = { isGone: false, unread: 0, waits: [] as number[], paused: [] as number[], tasks: [] as string[] }
  const client = { lease: { waitMs: () => state.waits.shift() ?? 0 } }
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const queue = createCallQueue({
    opened,
    client: () => (state.isGone ? undefined : client),
    unreadBytes: () => state.unread,
    pause: async (ms) => void state.paused.push(ms),
    turnOf: () => undefined,
  })
  const run = (name: string) => queue.run(async () => void state.tasks.push(name))
  return { state, queue, run, open: () => open() }
}

test('calls run one after another once the client is authenticated', async () => {
  const { state, run, open } = queueOf()
  const done = [run('first'), run('second')]
  await new Promise((resolve) => setImmediate(resolve))
  expect(state.tasks).toEqual([])
  open()
  await Promise.all(done)
  expect(state.tasks).toEqual(['first', 'second'])
})

test('a call runs immediately if there is nothing to wait for', async () => {
  const { state, queue, run, open } = queueOf()
  open()
  await run('first')
  expect(queue.run(() => void state.tasks.push('second'))).toBeUndefined()
  expect([state.tasks, queue.isIdle()]).toEqual([['first', 'second'], true])
})

test.each([false, true])('calls that are added while a call starts run after it (asynchronous: %s)', async (isLong) => {
  const { state, queue, run, open } = queueOf()
  open()
  await run('first')
  const added: unknown[] = []
  const finishLong = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    state.tasks.push('outer')
  }
  const outer = queue.run(() => {
    added.push(run('inner'), run('last'))
    if (isLong) return finishLong()
    state.tasks.push('outer')
  })
  added.push(run('next'))
  await Promise.all([outer, ...added])
  expect([state.tasks, queue.isIdle()]).toEqual([['first', 'outer', 'inner', 'last', 'next'], true])
})

test('a call waits until the client has read its responses', async () => {
  const { state, queue, run, open } = queueOf()
  open()
  state.unread = maxUnreadBytes
  const done = run('late')
  await new Promise((resolve) => setImmediate(resolve))
  expect(state.tasks).toEqual([])
  state.unread = 0
  queue.resume()
  await done
  expect(state.tasks).toEqual(['late'])
})

test('a call waits while its client exceeds the cost limit', async () => {
  const { state, run, open } = queueOf()
  open()
  state.waits = [20, 5]
  await run('paid')
  expect([state.paused, state.tasks]).toEqual([[20, 5], ['paid']])
})

test('rejected calls and calls from disconnected clients do not run', async () => {
  const { state, queue, run, open } = queueOf()
  open()
  await queue.run(
    async () => void state.tasks.push('refused'),
    async () => true,
  )
  await queue.run(
    async () => void state.tasks.push('gone'),
    async () => {
      state.isGone = true
      return false
    },
  )
  await run('after')
  expect(state.tasks).toEqual([])
})
