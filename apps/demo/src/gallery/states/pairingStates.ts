import type { LatchkeyOptions, PairingState, State } from '@latchkey/core'
import { fakeDirectory, fakeFailure, fakePairing, withAccount } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import {
  address,
  announcedConnectors,
  directoryOf,
  picture,
  type Wallet,
  withConnectors,
  withNetworks,
} from '../samples.ts'

const server: LatchkeyOptions = { server: 'https://connect.app.example', projectId: 'gallery' }
const phone: LatchkeyOptions = { platform: 'mobile' }
const legal: LatchkeyOptions = { termsUrl: 'https://app.example/terms', features: { legalCheckbox: true } }

/** An unusable pairing URI of realistic length. */
const uri = `wc:${'7f6e504bfad60b48'.repeat(4)}@2?relay-protocol=irn&symKey=${'587d5484ce2a2a6e'.repeat(4)}&expiryTimestamp=1795000240`

const at = (state: Partial<PairingState>) => ({ pairing: fakePairing(state) })
const preparing = () => at({ status: 'preparing' })
const offered = () => at({ status: 'offered', offer: { uri, expiresAt: 1_795_000_240_000 } })
const entering = () => at({ status: 'entering' })
const failed = (error: PairingState['error']) => at({ status: 'failed', error })

const failures = () => ({
  expired: failed(fakeFailure('pairing/expired', undefined)),
  declined: failed(fakeFailure('user/rejected', { request: 'connect' })),
  'relay down': failed(fakeFailure('relay/unreachable', { address: 'wss://relay.app.example' })),
  'wrong clock': failed(fakeFailure('relay/session-expired', undefined)),
  refused: failed(fakeFailure('relay/invalid-key', undefined)),
  unusable: failed(fakeFailure('session/invalid', { message: 'no account on a requested chain' })),
  'sign-in refused': failed(fakeFailure('sign-in/invalid', undefined)),
  error: failed(fakeFailure('unknown', { message: 'x is undefined' })),
})

const pocket: Wallet = {
  id: 'lumen',
  name: 'Lumen',
  homepage: 'https://lumen.example/',
  image_url: picture('#f5b301', '#b45309', 'L'),
  mobile_link: 'lumen://',
  app_store: 'https://apps.apple.com/app/example',
}
/** A wallet with a mobile app, a web app, a desktop app, and an extension that is not installed. */
const lumen: Wallet = {
  ...pocket,
  rdns: 'example.lumen',
  webapp_link: 'https://lumen.example/app',
  desktop_link: 'lumen-desktop://',
  chrome_store: 'https://chrome.google.com/webstore/detail/example',
}
const unwieldy: Wallet = {
  ...lumen,
  name: 'The Unreasonably Long Wallet Name',
  image_url: 'data:image/png;base64,AAAA',
}
const listed = { options: server, directory: fakeDirectory({ wallets: directoryOf(512) }) }
const onPhone = { options: { ...server, ...phone }, directory: fakeDirectory({ wallets: directoryOf(512) }) }

/** Returns `initialState` with WalletConnect among the available wallets. */
const pairs = (initialState: State): State =>
  withConnectors(withNetworks(initialState), [
    ...announcedConnectors,
    { id: 'walletConnect', name: 'WalletConnect', type: 'WALLET_CONNECT', namespace: 'eip155' },
  ])
const pairsOnly = (initialState: State): State => {
  const now = pairs(initialState)
  return withConnectors(now, now.wallets.connectors.slice(-1))
}
const paired = (initialState: State): State => withAccount(pairs(initialState), `eip155:1:${address}`, 'walletConnect')

/** The WalletConnect pairing views. */
export const pairingStates: readonly GalleryEntry[] = [
  ...statesOf('Connect', undefined, {
    'with WalletConnect': { ...listed, state: pairs },
    'with WalletConnect, phone': { options: phone, state: pairsOnly },
    'with WalletConnect, phone, listed': { ...onPhone, state: pairsOnly },
    'connected by WalletConnect': { ...listed, state: paired },
  }),
  ...statesOf('AllWallets', undefined, {
    'phone, with WalletConnect': { ...onPhone, state: pairs },
    'phone, only WalletConnect': { options: phone, state: pairsOnly },
  }),
  ...statesOf(
    'ConnectingWalletConnect',
    {},
    {
      preparing: preparing(),
      code: offered(),
      phone: { ...offered(), options: phone },
      'phone, preparing': { ...preparing(), options: phone },
      entering: entering(),
      copied: { ...offered(), press: 'Copy link' },
      'copy failed': { ...offered(), press: 'Copy link', noClipboard: true },
      ...failures(),
      'not loaded': {},
      'consent first': { ...offered(), options: legal },
      connected: { ...offered(), state: paired },
    },
  ),
  ...statesOf(
    'ConnectingWalletConnect',
    { wallet: lumen },
    {
      'wallet, preparing': { ...listed, ...preparing() },
      'wallet, code': { ...listed, ...offered() },
      'wallet, entering': { ...listed, ...entering() },
      'wallet, web': { ...listed, ...offered(), press: 'Web' },
      'wallet, desktop': { ...listed, ...offered(), press: 'Desktop' },
      'wallet, missing': { ...listed, ...offered(), press: 'Browser' },
      'wallet, declined': { ...listed, ...failures().declined },
      'wallet, opening': { ...onPhone, ...preparing() },
      'wallet, app': { ...onPhone, ...offered() },
      'wallet, app, entering': { ...onPhone, ...entering() },
      'wallet, app, expired': { ...onPhone, ...failures().expired },
      'wallet, consent first': { ...listed, ...offered(), options: { ...server, ...legal } },
    },
  ),
  ...statesOf(
    'ConnectingWalletConnect',
    { wallet: pocket },
    {
      'one method': { ...listed, ...offered() },
      'one method, phone': { ...onPhone, ...offered() },
      'inside an app': {
        ...onPhone,
        pairing: fakePairing({ status: 'offered', offer: { uri, expiresAt: 1_795_000_240_000 } }, { canLeave: false }),
      },
    },
  ),
  ...statesOf('ConnectingWalletConnect', { wallet: unwieldy }, { 'long content': { ...listed, ...offered() } }),
  ...statesOf('ConnectingWalletConnectBasic', undefined, {
    preparing: preparing(),
    code: { ...listed, ...offered() },
    'no server': offered(),
    phone: { ...onPhone, ...offered() },
    expired: { ...listed, ...failures().expired },
    'relay down': failures()['relay down'],
    'consent first': { ...offered(), options: legal },
  }),
]
