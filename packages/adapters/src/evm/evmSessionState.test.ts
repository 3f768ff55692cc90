import { expect, test } from 'vitest'
import { createEvmSessionState } from './evmSessionState.ts'

function page() {
  const heard: unknown[] = []
  const state = createEvmSessionState({
    addresses: ['0xA'],
    chain: 'eip155:1',
    checksum: (address) => address.toLowerCase(),
    emit: (event, value) => heard.push([event, value]),
    ended: () => heard.push('ended'),
  })
  for (const event of ['accounts', 'chain', 'health', 'disconnect'] as const)
    state.on(event, (value: unknown) => heard.push(`${event} ${value}`))
  return { state, heard }
}

test('a change emits a session event and an EIP-1193 event, and setting an equal value emits nothing', () => {
  const { state, heard } = page()
  state.setAddresses(['0xa'])
  state.setChain('eip155:1')
  state.setHealth('ok')
  expect(heard).toEqual([])
  state.setAddresses(['0xB'])
  state.setChain('eip155:10')
  expect(heard).toEqual([
    'accounts eip155:1:0xb',
    ['accountsChanged', ['0xb']],
    'chain eip155:10',
    ['chainChanged', '0xa'],
  ])
})

test('no events are emitted after the page ends the session', () => {
  const { state, heard } = page()
  expect([state.end(), state.end()]).toEqual([true, false])
  state.setChain('eip155:10')
  state.setHealth('silent')
  state.lost()
  expect([heard, state.chain]).toEqual([['ended'], 'eip155:1'])
})

test('disconnect listeners that are added after the wallet ended the session are notified, unless they are removed', async () => {
  const { state, heard } = page()
  state.lost()
  state.on('disconnect', () => heard.push('later'))
  state.on('disconnect', () => heard.push('removed'))()
  await Promise.resolve()
  expect(heard).toEqual(['ended', 'disconnect undefined', 'later'])
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
