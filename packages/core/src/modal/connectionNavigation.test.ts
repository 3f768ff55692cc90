import type { ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import type { State } from '../latchkeyTypes.ts'
import type { LatchkeyOptions } from '../options.ts'
import { fakeLatchkey, fakeNetwork, withAccount, withSignIn } from '../testing/index.ts'
import { followConnections } from './connectionNavigation.ts'
import type { Modal } from './modal.ts'
import { type Route, route } from './views.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

type Change = (state: State) => State

const displaying =
  (...stack: readonly [Route, ...Route[]]): Change =>
  (state) => ({ ...state, modal: { ...state.modal, open: true, stack } })
const closed: Change = (state) => ({ ...state, modal: { ...state.modal, open: false } })
const connected =
  (chain: ChainId<'eip155'> = 'eip155:1', connectorId = 'marlin', account = address): Change =>
  (state) =>
    withAccount(state, `${chain}:${account}`, connectorId)
const disconnected: Change = (state) => ({ ...state, connections: { ...state.connections, byNamespace: {} } })
const reconnecting: Change = (state) => ({
  ...state,
  connections: {
    ...state.connections,
    byNamespace: {
      eip155: {
        status: 'reconnecting',
        connectorId: 'marlin',
        accounts: [`eip155:1:${address}`],
        chain: 'eip155:1',
      },
    },
  },
})
const onNetwork =
  (active: ChainId): Change =>
  (state) => ({
    ...state,
    networks: { ...state.networks, active, namespace: active === solana ? 'solana' : 'eip155' },
  })
const signIn =
  (status: State['signIn']['status']): Change =>
  (state) =>
    withSignIn(state, { status })

/** Applies the changes in `before`, then applies all changes in `after` at once, and returns the modal's actions. */
function follow(
  before: readonly Change[],
  after: readonly Change[],
  { signsIn = false, ...options }: LatchkeyOptions & { signsIn?: boolean } = {},
): readonly string[] {
  const apply = (changes: readonly Change[], state: State) => changes.reduce((now, change) => change(now), state)
  const known = [fakeNetwork('eip155:1'), fakeNetwork('eip155:10'), fakeNetwork(solana)]
  const latchkey = fakeLatchkey({
    options,
    state: (initial) => apply(before, { ...initial, networks: { known, active: 'eip155:1', namespace: 'eip155' } }),
  })
  const calls: string[] = []
  const modal = {
    open: (params) => void calls.push(`open ${params?.view?.view}`),
    close(params) {
      calls.push(params?.force ? 'close by force' : 'close')
      return true
    },
    push: (view: string) => void calls.push(`push ${view}`),
    reset: (view: string) => void calls.push(`reset ${view}`),
    afterSwitch: () => void calls.push('afterSwitch'),
  } as Partial<Modal> as Modal
  const stop = followConnections({
    latchkey,
    modal,
    signsIn,
    filter: (namespace) => void calls.push(`filter ${namespace}`),
  })
  latchkey.state.set(apply(after, latchkey.state.get()))
  stop()
  latchkey.state.set(apply(before, latchkey.state.get()))
  return calls
}

test.each([
  route('Connect'),
  route('ConnectWallets'),
  route('ConnectSocials'),
  route('AllWallets'),
  route('ConnectingExternal', { connectorId: 'marlin', namespace: 'eip155' }),
  route('ConnectingWalletConnect', {}),
  route('EmailLogin'),
  route('EmailVerifyOtp', { email: 'ana@example.org' }),
  route('EmailVerifyDevice', { email: 'ana@example.org' }),
  route('Downloads', { wallet: { id: 'quill', name: 'Quill' } }),
  route('GetWallet'),
])('a modal that displays $view closes once a wallet is connected [R4.6]', (view) => {
  expect(follow([displaying(view)], [connected()])).toEqual(['close'])
})

test.each([
  route('SIWXSignMessage'),
  route('ConnectingSiwe'),
  route('Networks'),
  route('WhatIsAWallet'),
  route('ProfileWallets'),
  route('WalletReceive'),
  route('ApproveTransaction', { requestId: '1' }),
])('a modal that displays $view stays open when a wallet connects', (view) => {
  expect(follow([displaying(view)], [connected()])).toEqual([])
})

test('the modal closes if a second wallet replaces the first, but not if only the account changes', () => {
  const view = displaying(route('Connect'))
  expect(follow([connected(), view], [connected('eip155:1', 'hearth')])).toEqual(['close'])
  expect(follow([connected(), view], [connected('eip155:1', 'marlin', `${address.slice(0, -1)}3`)])).toEqual([])
})

test('a restored connection neither closes nor opens the modal', () => {
  expect(follow([reconnecting, displaying(route('Connect'))], [connected()])).toEqual([])
  expect(follow([reconnecting, closed], [connected('eip155:999')])).toEqual([])
})

test('if users sign in after connecting, sign-in opens the next view', () => {
  expect(follow([displaying(route('Connect'))], [connected()], { signsIn: true })).toEqual([])
})

test('a wallet added from the list of wallets returns to that list only if multiWallet is set', () => {
  const view = displaying(route('ProfileWallets'), route('Connect'))
  const second = connected('eip155:1', 'hearth')
  expect(follow([connected(), view], [second], { multiWallet: true })).toEqual(['reset ProfileWallets'])
  expect(follow([connected(), view], [second])).toEqual(['close'])
  expect(follow([connected(), displaying(route('Connect'))], [second], { multiWallet: true })).toEqual(['close'])
})

test('when the wallet disconnects, the modal closes, and a panel shows Connect [R4.6]', () => {
  const account = displaying(route('Account'))
  expect(follow([connected(), account], [disconnected])).toEqual(['close by force'])
  expect(follow([connected(), account, closed], [disconnected])).toEqual([])
  expect(follow([connected(), account, closed], [disconnected], { embedded: true })).toEqual(['reset Connect'])
  // The user did not end this connection. It could not be restored.
  expect(follow([reconnecting, account], [disconnected])).toEqual(['reset Connect'])
  expect(follow([connected(), displaying(route('ProfileWallets'))], [disconnected])).toEqual([])
})

test('a failed connection attempt does not close the modal', () => {
  const connecting: Change = (state) => ({
    ...state,
    connections: { ...state.connections, byNamespace: { eip155: { status: 'connecting', connectorId: 'marlin' } } },
  })
  const error = new LatchkeyError('user/rejected', { request: 'connect' })
  const failed: Change = (state) => ({
    ...state,
    connections: { ...state.connections, byNamespace: { eip155: { status: 'disconnected', error } } },
  })
  expect(follow([connecting, displaying(route('Connect'))], [failed])).toEqual([])
})

test('on an unsupported network, the modal prompts the user to switch, once [R4.6]', () => {
  const elsewhere = [connected('eip155:999'), onNetwork('eip155:999')]
  expect(follow([closed], elsewhere)).toEqual(['open UnsupportedChain'])
  expect(follow([connected(), closed], elsewhere)).toEqual(['open UnsupportedChain'])
  expect(follow([connected(), displaying(route('Account'))], elsewhere)).toEqual(['reset UnsupportedChain'])
  expect(follow([...elsewhere, closed], [connected('eip155:999', 'marlin', `${address.slice(0, -1)}3`)])).toEqual([])
  expect(follow([closed], elsewhere, { networkSwitching: false })).toEqual([])
  expect(follow([closed], elsewhere, { allowUnsupportedNetwork: true })).toEqual([])
  expect(follow([closed], [connected('eip155:10'), onNetwork('eip155:10')])).toEqual([])
  // Without a wallet, there is nothing to switch.
  expect(follow([closed], [onNetwork('eip155:999')])).toEqual([])
})

test('a pending approval is cancelled if its account disconnects, and nothing else interrupts it', () => {
  const approving = displaying(route('Account'), route('ApproveTransaction', { requestId: '1' }))
  expect(follow([connected(), approving], [disconnected])).toEqual(['close by force'])
  expect(follow([connected(), approving], [connected('eip155:10'), onNetwork('eip155:10')])).toEqual([])
  expect(follow([connected(), approving], [onNetwork(solana)])).toEqual([])
})

test('the sign-in views close themselves, unless the wallet disconnects', () => {
  for (const view of [route('SIWXSignMessage'), route('ConnectingSiwe')]) {
    expect(follow([connected(), displaying(view)], [connected('eip155:10'), onNetwork('eip155:10')])).toEqual([])
    expect(follow([connected(), displaying(view)], [disconnected])).toEqual(['close by force'])
    expect(follow([connected(), signIn('cancelling'), displaying(view)], [disconnected])).toEqual([])
  }
})

test.each([route('Networks'), route('SwitchNetwork', { network: 'eip155:10' }), route('UnsupportedChain')])(
  '$view closes after the network has changed [R4.6]',
  (view) => {
    const change = [connected('eip155:10'), onNetwork('eip155:10')]
    expect(follow([connected(), displaying(view)], change)).toEqual(['afterSwitch'])
    // Selecting the current network again is not a change.
    expect(follow([connected('eip155:1'), displaying(view)], [connected('eip155:1')])).toEqual([])
  },
)

test('other views stay open when the network changes', () => {
  const change = [connected('eip155:10'), onNetwork('eip155:10')]
  expect(follow([connected(), displaying(route('Account'))], change)).toEqual([])
  expect(follow([connected(), displaying(route('Networks')), closed], change)).toEqual([])
})

test('without a wallet, selecting a network leads from UnsupportedChain to Connect', () => {
  expect(follow([displaying(route('UnsupportedChain'))], [onNetwork('eip155:10')])).toEqual(['push Connect'])
})

test('a switch to a chain family without a connection lists the wallets for that family [R4.6]', () => {
  const wallets = ['filter solana', 'reset Connect']
  const target = route('SwitchActiveChain', { namespace: 'solana', network: solana })
  expect(follow([connected(), displaying(route('Account'))], [onNetwork(solana)])).toEqual(wallets)
  expect(follow([connected(), displaying(target)], [onNetwork(solana)])).toEqual(wallets)
  expect(follow([displaying(target)], [onNetwork(solana)])).toEqual(wallets)
  expect(follow([connected(), displaying(route('ProfileWallets'))], [onNetwork(solana)])).toEqual([])
})

test('a switch to a chain family that is already connected closes the modal [R4.6]', () => {
  const both: Change = (state) => ({
    ...state,
    connections: {
      ...state.connections,
      byNamespace: {
        ...state.connections.byNamespace,
        solana: {
          status: 'connected',
          connectorId: 'marlin',
          accounts: [`${solana}:7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q`],
          chain: solana,
          health: 'ok',
        },
      },
    },
  })
  const target = route('SwitchActiveChain', { namespace: 'solana', network: solana })
  expect(follow([connected(), both, displaying(target)], [onNetwork(solana)])).toEqual(['filter solana', 'close'])
})
