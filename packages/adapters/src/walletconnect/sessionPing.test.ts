import { fakeClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { createSessionPing } from './sessionPing.ts'

function page(ping: (signal: AbortSignal | undefined) => Promise<boolean>) {
  const clock = fakeClock()
  const topics: string[] = []
  const sessions = {
    ping(topic: string, options?: { readonly signal?: AbortSignal }) {
      topics.push(topic)
      return ping(options?.signal)
    },
  }
  return { isResponsive: createSessionPing({ sessions, clock }), clock, topics }
}

test('concurrent probes for the same session share one ping', async () => {
  const { isResponsive, topics } = page(async () => true)
  expect(await Promise.all([isResponsive('a'), isResponsive('a'), isResponsive('b')])).toEqual([true, true, true])
  expect(topics).toEqual(['a', 'b'])
  await isResponsive('a')
  expect(topics).toEqual(['a', 'b', 'a'])
})

test('isResponsive() resolves to false if the wallet does not respond within four seconds', async () => {
  const { isResponsive, clock } = page(
    (signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('late')))),
  )
  const probe = isResponsive('a')
  await clock.pass(4_000)
  expect(await probe).toBe(false)
})
