import { expect, test } from 'vitest'
import { readLive } from './livePairing.mjs'

test('if there is no project ID, the public relay is not contacted, and the error message explains how to set an ID', () => {
  expect(readLive([], {})).toEqual({
    problem: 'The public relay requires a project ID. Set LATCHKEY_LIVE_PROJECT_ID to yours.',
  })
  expect(readLive([], { LATCHKEY_LIVE_PROJECT_ID: 'abc' })).toEqual({
    relay: 'wss://relay.walletconnect.org',
    projectId: 'abc',
  })
})

test('a different relay needs no project ID, and invalid arguments are rejected', () => {
  expect(readLive(['--relay', 'ws://127.0.0.1:4100'], {})).toEqual({
    relay: 'ws://127.0.0.1:4100',
    projectId: undefined,
  })
  for (const args of [['--relay'], ['--relay', 'https://relay.example'], ['x'], ['--relay', 'ws://a', 'more']])
    expect(readLive(args, { LATCHKEY_LIVE_PROJECT_ID: 'abc' })).toHaveProperty('problem')
})
