import { fakeClock } from '@latchkey/protocol/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { createRetries } from './retries.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a task runs soon after the device comes back online, even if another task was cancelled twice, and no listeners remain', async () => {
  const listeners = new Set<() => void>()
  vi.stubGlobal('window', {
    addEventListener: (_: 'online', listener: () => void) => listeners.add(listener),
    removeEventListener: (_: 'online', listener: () => void) => listeners.delete(listener),
  })
  const clock = fakeClock()
  const retries = createRetries(clock, () => 0.5)
  const ran: string[] = []
  const cancel = retries.schedule({ failures: 10 }, () => ran.push('cancelled'))
  retries.schedule({ failures: 10 }, () => ran.push('kept'))
  cancel()
  cancel()
  for (const listener of listeners) listener()
  await clock.pass(500)
  expect(ran).toEqual(['kept'])
  expect(listeners.size).toBe(0)
})
