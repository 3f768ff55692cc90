import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createPairing, type PairingState } from './pairing.ts'

function pairing(pair: (uri: string) => Promise<void> = async () => {}) {
  const clock = fakeClock()
  const states: PairingState['at'][] = []
  return { clock, states, ...createPairing({ responder: { pair }, clock, changed: ({ at }) => states.push(at) }) }
}

test('a pairing fails if the page sends no request within twenty seconds', async () => {
  const { join, clock, states } = pairing()
  await join('wc:a')
  await clock.pass(19_999)
  expect(states).toEqual(['waiting'])
  await clock.pass(1)
  expect(states).toEqual(['waiting', 'failed'])
})

test.each(['end', 'stop'] as const)('%s() cancels the timeout', async (how) => {
  const { join, clock, states, ...rest } = pairing()
  await join('wc:a')
  rest[how]()
  await clock.pass(20_000)
  expect(states).not.toContain('failed')
  expect(clock.waiting).toBe(0)
})

test('a second link restarts the timeout', async () => {
  const { join, clock, states } = pairing()
  await join('wc:a')
  await clock.pass(15_000)
  await join('wc:b')
  await clock.pass(15_000)
  expect(states).toEqual(['waiting', 'waiting'])
})

test('no timeout is set if the request arrives before pair() resolves', async () => {
  let joined = (): void => {}
  const { join, end, clock } = pairing(() => new Promise((resolve) => (joined = resolve)))
  const joining = join('wc:a')
  end()
  joined()
  await joining
  expect(clock.waiting).toBe(0)
})
