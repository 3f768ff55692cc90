import { afterEach, expect, test, vi } from 'vitest'
import type { ConnectorInfo, State } from '../latchkeyTypes.ts'
import { offeredSocials } from '../login/offeredSocials.ts'
import type { LatchkeyOptions } from '../options.ts'
import { fakeLatchkey } from '../testing/index.ts'
import { mergeByName } from '../wallets/connectorGroups.ts'
import { createPickWallet } from './pickWallet.ts'
import { createWalletLists } from './walletLists.ts'

const connector = (
  name: string,
  type: ConnectorInfo['type'],
  namespace: ConnectorInfo['namespace'] = 'eip155',
): ConnectorInfo => ({ id: name.toLowerCase(), name, type, namespace })
const marlin = connector('Marlin', 'ANNOUNCED')
const walletConnect = connector('WalletConnect', 'WALLET_CONNECT')
const lumen = { id: 'lumen', name: 'Lumen', mobile_link: 'lumen:' }

afterEach(() => {
  vi.unstubAllGlobals()
})

function actionsOf(
  params: {
    connectors?: readonly ConnectorInfo[]
    options?: LatchkeyOptions
    state?: (state: State) => State
    mobile?: boolean
  } = {},
) {
  const {
    connectors = [marlin, walletConnect],
    options = {},
    mobile = false,
    state: change = (state) => state,
  } = params
  const shown = mergeByName(connectors.filter(({ type }) => type !== 'AUTH'))
  const { state } = fakeLatchkey({
    state: (initial) =>
      change({
        ...initial,
        networks: { known: [], active: undefined, namespace: 'eip155' },
        wallets: { ...initial.wallets, connectors },
      }),
  })
  const calls: unknown[] = []
  const registry = {
    shown: () => shown,
    some: (matches: (one: never) => boolean) => connectors.some((one) => matches(one as never)),
  }
  const lists = createWalletLists({
    options,
    registry,
    state,
    offersSocials: () => offeredSocials(options, state.get().wallets).length > 0,
  })
  const actions = createPickWallet({
    registry,
    state,
    modal: { show: ({ view }) => void calls.push(view) },
    mobile: () => mobile,
    pairs: true,
    listsAllWallets: true,
    track: (event) => void calls.push(event),
  })
  return { ...lists, ...actions, shown, calls }
}

test.each([
  ['a wallet in the browser', false, 'browser', 'ConnectingExternal', 'Marlin'],
  ['a wallet app from a desktop browser', false, 'qrcode', 'ConnectingWalletConnect', 'Lumen'],
  ['a wallet app from a mobile browser', true, 'mobile', 'ConnectingWalletConnect', 'Lumen'],
] as const)(
  'selecting %s opens its view and is tracked with its name and platform',
  (_, mobile, platform, view, name) => {
    const { pickWallet, shown, calls } = actionsOf({ mobile })
    pickWallet(name === 'Lumen' ? lumen : (shown[0] as never))
    expect(calls).toEqual([{ event: 'SELECT_WALLET', properties: { name, platform } }, view])
  },
)

test('a wallet that must be installed first, and the list of all wallets, are not tracked as selections', () => {
  const { pickWallet, calls } = actionsOf()
  pickWallet({ id: 'paper', name: 'Paper' })
  expect(calls).toEqual(['Downloads'])
  const phone = actionsOf({ mobile: true })
  phone.pickWallet(phone.shown[1] as never)
  expect(phone.calls).toEqual(['AllWallets'])
})

test('login methods are available only with an embedded wallet on a chain family that supports login [R9.11]', () => {
  const auth = connector('Email', 'AUTH')
  const email = { features: { email: true, socials: ['google'] } } as const
  expect(actionsOf({ options: email }).connectMethods()).toEqual(['wallet'])
  expect(actionsOf({ connectors: [marlin, auth], options: email }).connectMethods()).toEqual([
    'wallet',
    'email',
    'social',
  ])
  expect(
    actionsOf({ connectors: [marlin, connector('Email', 'AUTH', 'bip122')], options: email }).connectMethods(),
  ).toEqual(['wallet'])
  expect(
    actionsOf({ connectors: [marlin, auth], options: { features: { email: false, socials: false } } }).connectMethods(),
  ).toEqual(['wallet'])
  // Email login is enabled by default.
  expect(actionsOf({ connectors: [marlin, auth], options: { features: { socials: false } } }).connectMethods()).toEqual(
    ['wallet', 'email'],
  )
  expect(
    actionsOf({
      connectors: [marlin, auth],
      options: { ...email, connectMethodsOrder: ['social', 'wallet'] },
    }).connectMethods(),
  ).toEqual(['social', 'wallet'])
})

test('listed() returns recent and custom wallets that were not discovered, and omits excluded wallets', () => {
  const recent = { id: 'otter', name: 'Otter', mobile_link: 'otter:' }
  const { listed } = actionsOf({
    options: { customWallets: [lumen, { id: 'm', name: 'Marlin', mobile_link: 'm:' }] },
    state: (state) => ({ ...state, wallets: { ...state.wallets, recent: [recent] } }),
  })
  expect(listed().wallets.map(({ name }) => name)).toEqual(['Otter', 'Lumen'])
  expect(listed().coming).toBe(0)
  const without = actionsOf({
    options: { customWallets: [lumen] },
    state: (state) => ({ ...state, wallets: { ...state.wallets, recent: [recent], excluded: [{ name: 'Otter' }] } }),
  })
  expect(without.listed().wallets.map(({ name }) => name)).toEqual(['Lumen'])
})
