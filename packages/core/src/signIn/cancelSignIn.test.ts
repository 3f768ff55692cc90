import type { ChainId } from '@latchkey/protocol/caip'
import { describe, expect, test } from 'vitest'
import { cancelSignIn } from './cancelSignIn.ts'
import type { AuthenticationAdapter, SignInSession } from './signInTypes.ts'

/** Cancels a sign-in on Base, and returns the events in order. */
async function cancelled({
  required,
  lastSigned,
  hasSession = false,
  lookup,
  disconnect = async () => {},
}: {
  readonly required: boolean
  readonly lastSigned?: ChainId
  readonly hasSession?: boolean
  readonly lookup?: () => Promise<readonly SignInSession[]>
  readonly disconnect?: () => Promise<void>
}): Promise<readonly string[]> {
  const events: string[] = []
  const sessions = hasSession ? [{} as SignInSession] : []
  let connected = true
  await cancelSignIn({
    account: 'eip155:8453:0x1111111111111111111111111111111111111111',
    lastSigned,
    required: () => required,
    hasAccount: () => connected,
    abort: () => events.push('abort'),
    set: ({ status }) => events.push(status),
    authentication: { getSessions: lookup ?? (async () => sessions) } as unknown as AuthenticationAdapter,
    async switchNetwork(chain) {
      events.push(`switch to ${chain}`)
    },
    async disconnect() {
      events.push('disconnect')
      await disconnect()
      connected = false
    },
    navigate: (outcome) => events.push(`navigate: ${outcome}`),
    track: ({ event }) => events.push(event),
    log: { warn: (text) => events.push(text), error: () => {} },
  }).catch(({ message }: Error) => events.push(message))
  return events
}

const start = ['abort', 'cancelling', 'CLICK_CANCEL_SIWX']

describe('cancelSignIn', () => {
  test('disconnects if sign-in is required', async () => {
    expect(await cancelled({ required: true })).toEqual([...start, 'disconnect', 'unknown', 'navigate: cancelled'])
  })

  test('only closes the prompt if sign-in is optional, even if the user was signed in on another network', async () => {
    const expected = [...start, 'signed-out', 'navigate: cancelled']
    expect(await cancelled({ required: false })).toEqual(expected)
    expect(await cancelled({ required: false, lastSigned: 'eip155:1', hasSession: true })).toEqual(expected)
  })

  test('switches back to the last network with a session instead of disconnecting', async () => {
    expect(await cancelled({ required: true, lastSigned: 'eip155:1', hasSession: true })).toEqual([
      ...start,
      'switch to eip155:1',
    ])
  })

  test.each([
    ['the session has ended', { lastSigned: 'eip155:1' }],
    ['it is the current network', { lastSigned: 'eip155:8453', hasSession: true }],
    ['it is in another chain family', { lastSigned: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', hasSession: true }],
  ] as const)('disconnects instead of switching back if %s', async (_, options) => {
    expect(await cancelled({ required: true, ...options })).toContain('disconnect')
  })

  test('disconnects if the session of the last network cannot be looked up', async () => {
    const lookup = () => Promise.reject(new Error('offline'))
    expect(await cancelled({ required: true, lastSigned: 'eip155:1', lookup })).toEqual([
      ...start,
      'Unable to switch back to the last network with a sign-in session',
      'disconnect',
      'unknown',
      'navigate: cancelled',
    ])
  })

  test('closes the prompt and rejects if the wallet cannot be disconnected', async () => {
    const disconnect = () => Promise.reject(new Error('still connected'))
    expect(await cancelled({ required: true, disconnect })).toEqual([
      ...start,
      'disconnect',
      'signed-out',
      'navigate: cancelled',
      'still connected',
    ])
  })
})
