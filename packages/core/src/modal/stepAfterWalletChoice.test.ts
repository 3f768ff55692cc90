import { expect, test } from 'vitest'
import type { ConnectorGroup, ConnectorInfo } from '../latchkeyTypes.ts'
import { groupConnectors, mergeByName } from '../wallets/connectorGroups.ts'
import { stepAfterWalletChoice } from './stepAfterWalletChoice.ts'
import { route } from './views.ts'

const named = (name: string, type: ConnectorInfo['type'], namespace: 'eip155' | 'solana' = 'eip155') =>
  ({ id: name.toLowerCase(), name, type, namespace }) as const
const marlin = named('Marlin', 'ANNOUNCED')
const walletConnect = named('WalletConnect', 'WALLET_CONNECT')
const shown = mergeByName([marlin, walletConnect])
const [here, paired] = shown as [ConnectorGroup, ConnectorGroup]
const desktop = { shown, pairs: true, directory: true, mobile: false, namespace: 'eip155', page: undefined } as const
const phone = { ...desktop, mobile: true } as const
const lumen = { id: 'lumen', name: 'Lumen', mobile_link: 'lumen:' }
const paper = { id: 'paper', name: 'Paper' }
const external = route('ConnectingExternal', { connectorId: 'marlin', namespace: 'eip155' })

test.each([
  ['a connector on this page opens the connecting view', here, desktop, { view: external, platform: 'browser' }],
  [
    'the directory entry for a connector on this page opens the connecting view',
    { id: 'm', name: 'Marlin' },
    desktop,
    { view: external, platform: 'browser' },
  ],
  [
    'WalletConnect opens the view with the QR code on desktop',
    paired,
    desktop,
    { view: route('ConnectingWalletConnect', {}), platform: 'qrcode' },
  ],
  ['WalletConnect opens the list of wallets on a phone', paired, phone, { view: route('AllWallets') }],
  [
    'WalletConnect opens the pairing view on a phone if there is no directory',
    paired,
    { ...phone, directory: false },
    { view: route('ConnectingWalletConnect', {}), platform: 'mobile' },
  ],
  [
    'a wallet that has a link opens the pairing view',
    lumen,
    phone,
    { view: route('ConnectingWalletConnect', { wallet: lumen }), platform: 'mobile' },
  ],
  [
    'a wallet that has a link opens the downloads view if pairing is unavailable',
    lumen,
    { ...phone, pairs: false },
    { view: route('Downloads', { wallet: lumen }) },
  ],
  [
    'a wallet that has no link opens the downloads view',
    paper,
    desktop,
    { view: route('Downloads', { wallet: paper }) },
  ],
] as const)('%s [R1.1]', (_, picked, now, leads) => {
  expect(stepAfterWalletChoice(picked, now)).toEqual(leads)
})

test('a wallet that supports several chain families opens the view to choose one, but WalletConnect does not [R1.1]', () => {
  const [both] = mergeByName([marlin, named('Marlin', 'ANNOUNCED', 'solana')]) as [ConnectorGroup]
  expect(stepAfterWalletChoice(both, desktop)).toEqual({
    view: route('ConnectingMultiChain', { name: 'Marlin' }),
    platform: 'browser',
  })
  const [code] = mergeByName([walletConnect, named('WalletConnect', 'WALLET_CONNECT', 'solana')]) as [ConnectorGroup]
  expect(stepAfterWalletChoice(code, desktop)).toMatchObject({ view: { view: 'ConnectingWalletConnect' } })
})

test('WalletConnect is listed, except on a phone if there is a directory', () => {
  const rows = (now: { mobile: boolean; directory: boolean }) =>
    groupConnectors({ connectors: [marlin, walletConnect], filter: undefined, excluded: [], ...now }).map(
      ({ name }) => name,
    )
  expect(rows({ mobile: true, directory: true })).toEqual(['Marlin'])
  expect(rows({ mobile: true, directory: false })).toEqual(['Marlin', 'WalletConnect'])
  expect(rows({ mobile: false, directory: true })).toEqual(['Marlin', 'WalletConnect'])
})
