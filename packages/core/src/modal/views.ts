import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/apiRoutes'

/** All views, with the data that each view requires. */
export interface Views {
  /** `login`: show only the login methods of the embedded wallet. */
  Connect: { login: true } | undefined
  /** The discovered and listed wallets, if `features.collapseWallets` moves them out of Connect. */
  ConnectWallets: undefined
  /** All social logins that are available. */
  ConnectSocials: undefined
  /** The whole wallet directory, with search. */
  AllWallets: undefined
  /** `connectorId`: the id of a discovered connector. */
  ConnectingExternal: { connectorId: string; namespace: Namespace }
  /** A choice of chain family for a wallet that supports several. `name`: the name of its `ConnectorGroup`. */
  ConnectingMultiChain: { name: string }
  /** Pairing with `wallet`, or with any wallet by QR code if it is absent. */
  ConnectingWalletConnect: { wallet?: Wallet }
  /** Only the QR code, for hosts that control WalletConnect themselves or have no adapters. */
  ConnectingWalletConnectBasic: undefined
  /** The progress of a social login. `provider`: for example `google`. */
  ConnectingSocial: { provider: string }
  /** The link of a Farcaster login, until the user has approved it. */
  ConnectingFarcaster: undefined
  /** An addition of Latchkey. The specification has no passkey login. */
  ConnectingPasskey: undefined
  /** The prompt to sign in for `siwe()`. Without `force`, it cannot be closed while sign-in is required. */
  ConnectingSiwe: undefined
  /** Links to install `wallet`, from app stores, the Chrome Web Store and its websites. */
  Downloads: { wallet: Wallet }
  /** Wallets to install, for users who have none. */
  GetWallet: undefined
  /** An explanation of wallets for new users. */
  WhatIsAWallet: undefined
  /** An explanation of networks for new users. */
  WhatIsANetwork: undefined
  /** The connected account: its name, balance, network and actions. */
  Account: undefined
  /** The settings of the account: email address and account type of the embedded wallet, and disconnecting. */
  AccountSettings: undefined
  /** The connected wallets, with the option `multiWallet`. */
  ProfileWallets: undefined
  /** The host's networks. */
  Networks: undefined
  /** Requests from the wallet to switch to `network` (CAIP-2), and shows the result. */
  SwitchNetwork: { network: ChainId }
  /** Confirms a switch to another chain family, which needs another wallet. Without `network`, its wallets are listed next. */
  SwitchActiveChain: { namespace: Namespace; network?: ChainId }
  /** Shown if the wallet is on a network that the host does not list. `swap` is not used. */
  UnsupportedChain: { swap?: boolean } | undefined
  /** The address of the account, to copy or scan. */
  WalletReceive: undefined
  /** The form to log in by email. */
  EmailLogin: undefined
  /** The form for the code that was sent to `email`. */
  EmailVerifyOtp: { email: string }
  /** Waits until the user opens the link that was sent to `email`, which approves this browser. */
  EmailVerifyDevice: { email: string }
  /** `redirectView`: the view to open after saving. Without it there is no Cancel button. */
  UpdateEmailWallet: { email?: string; redirectView?: ViewName } | undefined
  /** The form for the code that was sent to the current address. `email`: the new address. */
  UpdateEmailPrimaryOtp: { email: string; redirectView?: ViewName }
  /** The form for the code that was sent to `email`, the new address. */
  UpdateEmailSecondaryOtp: { email: string; redirectView?: ViewName }
  /** The prompt to sign in. Without `force`, it cannot be closed while sign-in is required. */
  SIWXSignMessage: undefined
  /** Shown behind an approval in the embedded wallet's frame. Can only be closed with `force`, which cancels the request. */
  ApproveTransaction: { requestId: string }
  /** Not implemented: `open()` shows the default view instead, and `push()` does nothing. */
  RegisterAccountName: undefined
  /** Not implemented: `open()` shows the default view instead, and `push()` does nothing. */
  RegisterAccountNameSuccess: undefined
  /** Confirms a new smart session. `context`: the session's identifier. */
  SmartSessionCreated: { context: string }
  /** The smart sessions of this page, with a way to revoke them. */
  SmartSessionList: undefined
}

/** The name of a view. */
export type ViewName = keyof Views

/** A view and its data. */
export type Route = { [Name in ViewName]: { readonly view: Name; readonly data: Views[Name] } }[ViewName]

/** The navigation stack, oldest route first. Never empty. */
export type Stack = readonly [Route, ...Route[]]

type Data<Name extends ViewName> = undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]

/**
 * Creates a route to `view`. The types require the data that the view needs.
 *
 * @example
 * latchkey.modal.open({ view: route('SwitchNetwork', { network: 'eip155:1' }) })
 */
export function route<Name extends ViewName>(view: Name, ...[data]: Data<Name>): Route {
  return { view, data } as Route
}
