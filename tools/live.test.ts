import { expect, test } from 'vitest'
import { readLive } from './live.mjs'

test('without an id the public relay is not asked, and it is said how to give one', () => {
  expect(readLive([], {})).toEqual({
    problem: 'The public relay asks for a project id: set LATCHKEY_LIVE_PROJECT_ID to yours.',
  })
  expect(readLive([], { LATCHKEY_LIVE_PROJECT_ID: 'abc' })).toEqual({
    relay: 'wss://relay.walletconnect.org',
    projectId: 'abc',
  })
})

test('another relay needs no id; anything else is refused', () => {
  expect(readLive(['--relay', 'ws://127.0.0.1:4100'], {})).toEqual({
    relay: 'ws://127.0.0.1:4100',
    projectId: undefined,
  })
  for (const args of [['--relay'], ['--relay', 'https://relay.example'], ['x'], ['--relay', 'ws://a', 'more']])
    expect(readLive(args, { LATCHKEY_LIVE_PROJECT_ID: 'abc' })).toHaveProperty('problem')
})
