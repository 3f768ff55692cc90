import { expect, test } from 'vitest'
import { createAcknowledgedMessages } from './acknowledgedMessages.ts'

const message = { topic: 'aa', id: '01' }

/** Creates a store that contains the messages in `stored`. Only the publisher `page` cannot remove them. */
function setUp() {
  const calls: string[] = []
  const stored = new Set(['aa01'])
  const state = { isAway: false, now: 100 }
  const removals = createAcknowledgedMessages(
    async (topic, id, by) => {
      calls.push(by)
      await undefined
      if (state.isAway) throw new Error('unavailable')
      if (by !== 'page') stored.delete(topic + id)
      return !stored.has(topic + id)
    },
    () => state.now,
  )
  return {
    calls,
    removals,
    state,
    stored,
    acknowledge: (by: string) => removals.remove({ ...message, acknowledgedBy: by }),
  }
}

test('the store is called only once, no matter how many subscribers acknowledge a message within five seconds', async () => {
  const { acknowledge, calls, state } = setUp()
  await Promise.all(Array.from({ length: 100 }, (_, at) => acknowledge(`wallet ${at}`)))
  state.now += 4_999
  await acknowledge('a late wallet')
  expect(calls).toEqual(['wallet 0'])
  state.now += 1
  await acknowledge('a later wallet')
  expect(calls).toEqual(['wallet 0', 'a later wallet'])
})

test('an acknowledgement by the publisher, which does not remove the message, does not replace that of a subscriber', async () => {
  const { acknowledge, calls, stored } = setUp()
  await Promise.all([acknowledge('page'), acknowledge('wallet')])
  expect(calls).toEqual(['page', 'wallet'])
  expect(stored.size).toBe(0)
})

test('a message that is published again is removed again, even if it was stored while it was being removed', async () => {
  const { acknowledge, removals, stored } = setUp()
  await acknowledge('wallet')
  for (const isLate of [false, true]) {
    const running = isLate ? acknowledge('wallet') : undefined
    stored.add('aa01')
    removals.isStored(message)
    await running
    stored.add('aa01')
    await acknowledge('wallet')
    expect(stored.size).toBe(0)
    // The next turn starts with a message that is known to be stored.
    stored.add('aa01')
    removals.isStored(message)
  }
})

test('after a failure, the next acknowledgement removes the message', async () => {
  const { acknowledge, state, stored } = setUp()
  state.isAway = true
  await expect(Promise.all([acknowledge('wallet'), acknowledge('wallet 2')])).rejects.toThrow('unavailable')
  state.isAway = false
  await acknowledge('wallet')
  expect(stored.size).toBe(0)
})
