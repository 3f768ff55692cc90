import type { ConnectionState, State } from '@latchkey/core'
import { fakeLatchkey } from '@latchkey/core/testing'
import type { Namespace } from '@latchkey/protocol/caip'
import { flushSync } from 'react-dom'
import { afterEach, expect, test } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../LatchkeyProvider.tsx'
import { useAccount } from './useAccount.ts'

afterEach(async () => {
  await cleanup()
})

function Host({
  namespace,
  onAccount,
}: {
  readonly namespace?: Namespace
  readonly onAccount: (account: unknown) => void
}) {
  onAccount(useAccount(namespace))
  return null
}

/** Returns the result of `useAccount()` for the given connections, with `eip155` as the active namespace. */
async function read(byNamespace: Partial<Record<Namespace, ConnectionState>>, namespace?: Namespace): Promise<unknown> {
  let account: unknown
  const state = (initialState: State): State => ({
    ...initialState,
    networks: { known: [], active: 'eip155:1', namespace: 'eip155' },
    connections: { byNamespace, others: [] },
  })
  await render(
    <LatchkeyProvider latchkey={fakeLatchkey({ state })}>
      <Host
        {...(namespace && { namespace })}
        onAccount={(now) => {
          account = now
        }}
      />
    </LatchkeyProvider>,
  )
  return account
}

const evm = {
  status: 'connected',
  connectorId: 'io.a',
  accounts: ['eip155:1:0xaa', 'eip155:1:0xbb'],
  chain: 'eip155:1',
  health: 'ok',
  details: { type: 'eoa', preferredAccountTypes: { eip155: 'smartAccount' } },
} as const satisfies ConnectionState
const solana = {
  status: 'connected',
  connectorId: 's',
  accounts: ['solana:1:Sol1'],
  chain: 'solana:1',
  health: 'silent',
  details: { publicKey: 'Sol1' },
} as const satisfies ConnectionState
const none = { account: undefined, address: undefined, chain: undefined, accounts: [], health: 'ok' }

test('useAccount() returns every field of the active account, or of the account in the specified namespace [R3.4]', async () => {
  expect(await read({ eip155: evm, solana })).toEqual({
    status: 'connected',
    account: 'eip155:1:0xaa',
    address: '0xaa',
    chain: 'eip155:1',
    accounts: ['eip155:1:0xaa', 'eip155:1:0xbb'],
    connectorId: 'io.a',
    health: 'ok',
    type: 'eoa',
    preferredAccountTypes: { eip155: 'smartAccount' },
  })
  expect(await read({ eip155: evm, solana }, 'solana')).toEqual({
    status: 'connected',
    account: 'solana:1:Sol1',
    address: 'Sol1',
    chain: 'solana:1',
    accounts: ['solana:1:Sol1'],
    connectorId: 's',
    health: 'silent',
    publicKey: 'Sol1',
  })
})

test('useAccount() distinguishes disconnected, connecting and reconnecting [R3.4]', async () => {
  expect(await read({})).toEqual({ ...none, status: 'disconnected', connectorId: undefined })
  expect(await read({ eip155: evm }, 'solana')).toEqual({ ...none, status: 'disconnected', connectorId: undefined })
  expect(await read({ eip155: { status: 'connecting', connectorId: 'io.a' } })).toEqual({
    ...none,
    status: 'connecting',
    connectorId: 'io.a',
  })
  const { accounts, chain } = evm
  expect(await read({ eip155: { status: 'reconnecting', connectorId: 'io.a', accounts, chain } })).toEqual({
    status: 'reconnecting',
    account: 'eip155:1:0xaa',
    address: '0xaa',
    chain: 'eip155:1',
    accounts,
    connectorId: 'io.a',
    health: 'ok',
  })
})

test('a component that uses the account re-renders only if the account changes', async () => {
  const accounts: unknown[] = []
  const latchkey = fakeLatchkey({
    state: (initialState) => ({
      ...initialState,
      networks: { known: [], active: 'eip155:1', namespace: 'eip155' },
      connections: { byNamespace: { eip155: evm }, others: [] },
    }),
  })
  await render(
    <LatchkeyProvider latchkey={latchkey}>
      <Host onAccount={(now) => accounts.push(now)} />
    </LatchkeyProvider>,
  )
  const before = accounts.length
  const setConnection = (connection: ConnectionState) =>
    flushSync(() =>
      latchkey.state.set({ ...latchkey.state.get(), connections: { byNamespace: { eip155: connection }, others: [] } }),
    )
  setConnection({ ...evm })
  expect(accounts).toHaveLength(before)
  setConnection({ ...evm, health: 'silent' })
  expect(accounts.slice(before)).toEqual([expect.objectContaining({ health: 'silent' })])
})
