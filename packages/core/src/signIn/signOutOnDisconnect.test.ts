import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import type { AccountView } from '../latchkeyTypes.ts'
import { fakeAuthentication, fakeNetwork } from '../testing/index.ts'
import type { AuthenticationAdapter } from './signInTypes.ts'
import { createSignOutOnDisconnect } from './signOutOnDisconnect.ts'

type View = Pick<AccountView, 'address' | 'chain' | 'status'>
const disconnected: View = { address: undefined, chain: undefined, status: 'disconnected' }
const connected = (chain: ChainId, address: string): View => ({ chain, address, status: 'connected' })

function page(more: Partial<AuthenticationAdapter> = {}, signedIn: readonly AccountId[] = []) {
  const authentication = fakeAuthentication(more)
  const views = new Map<Namespace, View>()
  const heard: unknown[] = []
  const check = createSignOutOnDisconnect({
    authentication,
    connected: undefined,
    account: (namespace) => views.get(namespace) ?? disconnected,
    signedIn: new Set(signedIn),
    networks: () => [fakeNetwork('eip155:1'), fakeNetwork('eip155:10'), fakeNetwork('solana:1')],
    events: { emit: (event, value) => heard.push([event, value]) },
    log: { warn() {} },
  })
  return {
    authentication,
    heard,
    async show(namespace: Namespace, view: View) {
      views.set(namespace, view)
      check()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('disconnecting a family signs out its accounts on every network, and the host is notified about those that were signed in', async () => {
  const { authentication, heard, show } = page({}, ['eip155:1:0xa', 'solana:1:s'])
  await show('solana', connected('solana:1', 's'))
  await show('eip155', connected('eip155:1', '0xa'))
  await show('eip155', connected('eip155:10', '0xb'))
  expect(authentication.calls).toEqual([])
  await show('eip155', disconnected)
  const revoked = authentication.calls.map(([, account]) => account)
  expect(revoked).toEqual(['eip155:1:0xa', 'eip155:10:0xa', 'eip155:10:0xb', 'eip155:1:0xb'])
  expect(heard).toEqual([['signOut', { account: 'eip155:1:0xa' }]])
})

test('all sessions are removed once no account is connected', async () => {
  const { authentication, show } = page()
  await show('eip155', connected('eip155:1', '0xa'))
  await show('eip155', disconnected)
  expect(authentication.calls).toEqual([['setSessions', []]])
})

test('an adapter with `signOutOnDisconnect: false` keeps its sessions', async () => {
  const { authentication, heard, show } = page({ signOutOnDisconnect: false }, ['eip155:1:0xa'])
  await show('eip155', connected('eip155:1', '0xa'))
  await show('eip155', disconnected)
  expect([authentication.calls, heard]).toEqual([[], []])
})
