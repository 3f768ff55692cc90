import { expect, test } from 'vitest'
import { createEvmSessionState } from './evmSessionState.ts'

function page() {
  const events: unknown[] = []
  const state = createEvmSessionState({
    addresses: ['0xA'],
    chain: 'eip155:1',
    checksum: (address) => address.toLowerCase(),
    emit: (event, value) => events.push([event, value]),
    ended: () => events.push('ended'),
  })
  for (const event of ['accounts', 'chain', 'health', 'disconnect'] as const)
    state.on(event, (value: unknown) => events.push(`${event} ${value}`))
  return { state, events }
}

test('a change emits a session event and an EIP-1193 event, and setting an equal value emits nothing', () => {
  const { state, events } = page()
  state.setAddresses(['0xa'])
  state.setChain('eip155:1')
  state.setHealth('ok')
  expect(events).toEqual([])
  state.setAddresses(['0xB'])
  state.setChain('eip155:10')
  expect(events).toEqual([
    'accounts eip155:1:0xb',
    ['accountsChanged', ['0xb']],
    'chain eip155:10',
    ['chainChanged', '0xa'],
  ])
})

test('no events are emitted after the page ends the session', () => {
  const { state, events } = page()
  expect([state.end(), state.end()]).toEqual([true, false])
  state.setChain('eip155:10')
  state.setHealth('silent')
  state.lost()
  expect([events, state.chain]).toEqual([['ended'], 'eip155:1'])
})

test('disconnect listeners that are added after the wallet ended the session are notified, unless they are removed', async () => {
  const { state, events } = page()
  state.lost()
  state.on('disconnect', () => events.push('later'))
  state.on('disconnect', () => events.push('removed'))()
  await Promise.resolve()
  expect(events).toEqual(['ended', 'disconnect undefined', 'later'])
})

test('nextChain() resolves when the chain changes or the session ends', async () => {
  for (const end of [false, true]) {
    const { state } = page()
    const { seen } = state.nextChain()
    if (end) state.lost()
    else state.setChain('eip155:10')
    await seen
  }
})
