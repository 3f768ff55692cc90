import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'

/** All views and the data that each view requires. */
export interface Views {
  /** The connect methods and wallets. If `login` is `true`, only the embedded wallet's login methods. */
  Connect: { login: true } | undefined
  /** The discovered and listed wallets, if `features.collapseWallets` removes them from Connect. */
  ConnectWallets: undefined
  /** All available social logins. */
  ConnectSocials: undefined
  /** The whole wallet directory, with search. */
  AllWallets: undefined
  /** The progress of connecting a discovered wallet. `connectorId` is its connector's ID. */
  ConnectingExternal: { connectorId: string; namespace: Namespace }
  /** A choice of chain family for a wallet that supports several families. `name` is the name of its `ConnectorGroup`. */
  ConnectingMultiChain: { name: string }
  /** Pairing with `wallet`, or with any wallet that scans the QR code if `wallet` is omitted. */
  ConnectingWalletConnect: { wallet?: Wallet }
  /** A view with only the QR code, for hosts that control WalletConnect themselves or have no adapters. */
  ConnectingWalletConnectBasic: undefined
  /** The progress of a social login. `provider` is the provider's name, such as `google`. */
  ConnectingSocial: { provider: string }
  /** The link for a Farcaster login, displayed until the user approves the login. */
  ConnectingFarcaster: undefined
  /** The progress of a passkey login. */
  ConnectingPasskey: undefined
  /** The prompt to sign in with `siwe()`. If sign-in is required, it can only be closed with `force`. */
  ConnectingSiwe: undefined
  /** Links to install `wallet` from app stores, the Chrome Web Store and its websites. */
  Downloads: { wallet: Wallet }
  /** Wallets to install, for users who do not have a wallet. */
  GetWallet: undefined
  /** An explanation of wallets for new users. */
  WhatIsAWallet: undefined
  /** An explanation of networks for new users. */
  WhatIsANetwork: undefined
  /** The connected account, with its name, balance, network and actions. */
  Account: undefined
  /** The account settings, which include the embedded wallet's email address and account type, and the disconnect button. */
  AccountSettings: undefined
  /** The connected wallets, if the `multiWallet` option is set. */
  ProfileWallets: undefined
  /** The host's networks. */
  Networks: undefined
  /** The progress of switching the wallet to `network` (CAIP-2). */
  SwitchNetwork: { network: ChainId }
  /** The confirmation to switch to a different chain family, which requires a different wallet. */
  SwitchActiveChain: { namespace: Namespace; network?: ChainId }
  /** A prompt to switch networks, if the wallet is on a network that the host does not support. `swap` is not used. */
  UnsupportedChain: { swap?: boolean } | undefined
  /** The account's address, to copy or scan. */
  WalletReceive: undefined
  /** The form for logging in by email. */
  EmailLogin: undefined
  /** The form for the code that was sent to `email`. */
  EmailVerifyOtp: { email: string }
  /** The view that waits until the user opens the link that was sent to `email`, which approves this browser. */
  EmailVerifyDevice: { email: string }
  /** The form for changing the email address. If `redirectView` is set, it opens after the user saves or cancels. */
  UpdateEmailWallet: { email?: string; redirectView?: ViewName } | undefined
  /** The form for the code that was sent to the current email address. `email` is the new address. */
  UpdateEmailPrimaryOtp: { email: string; redirectView?: ViewName }
  /** The form for the code that was sent to the new email address, which is `email`. */
  UpdateEmailSecondaryOtp: { email: string; redirectView?: ViewName }
  /** The prompt to sign in. If sign-in is required, it can only be closed with `force`. */
  SIWXSignMessage: undefined
  /** The view behind an approval in the embedded wallet's frame. Closing it requires `force`, and cancels the request. */
  ApproveTransaction: { requestId: string }
  /** The networks on which the account can receive assets. */
  WalletCompatibleNetworks: undefined
  /** The account's transactions, grouped by month. */
  Transactions: undefined
  /** The form for sending tokens. `token` is a CAIP-10 token or `native`, and `amount` is in human units, such as `12.5`. */
  WalletSend: { token?: string; amount?: string; to?: string } | undefined
  /** The list of tokens to send. */
  WalletSendSelectToken: undefined
  /** The summary before a transfer is sent, and its progress afterwards. */
  WalletSendPreview: undefined
  /** The form for swapping tokens. `from` and `to` are symbols or CAIP-10 tokens, and `amount` is in human units. */
  Swap: { from?: string; to?: string; amount?: string } | undefined
  /** The list of tokens to swap, for one side of the form. */
  SwapSelectToken: { side: 'from' | 'to' }
  /** The summary before a swap is sent, and its progress afterwards. */
  SwapPreview: undefined
  /** The providers from which the user can buy. */
  OnRampProviders: undefined
  /** The list of currencies to pay with. */
  OnRampFiatSelect: undefined
  /** The list of tokens to buy. */
  OnRampTokenSelect: undefined
  /** The progress of a purchase in the provider's window. `provider` is the provider's name, such as `coinbase`. */
  BuyInProgress: { provider: string }
  /** An introduction to account names. */
  ChooseAccountName: undefined
  /** The form for registering an account name. */
  RegisterAccountName: undefined
  /** The confirmation that the account name `name` was registered. */
  RegisterAccountNameSuccess: { name: string } | undefined
  /** A message that a smart session was created. `context` is the session's identifier. */
  SmartSessionCreated: { context: string }
  /** The page's smart sessions, which users can revoke. */
  SmartSessionList: undefined
}

/** The name of a view. */
export type ViewName = keyof Views

/** A view and its data. */
export type Route = { [Name in ViewName]: { readonly view: Name; readonly data: Views[Name] } }[ViewName]

/** The navigation stack, with the oldest route first. It is never empty. */
export type Stack = readonly [Route, ...Route[]]

type Data<Name extends ViewName> = undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]

/**
 * Creates a route to `view`. The second argument is the view's data, if the view has any.
 *
 * @example
 * latchkey.modal.open({ view: route('SwitchNetwork', { network: 'eip155:1' }) })
 */
export function route<Name extends ViewName>(view: Name, ...[data]: Data<Name>): Route {
  return { view, data } as Route
}
