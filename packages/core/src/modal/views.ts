import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/contract'

/** Every view and the data that it cannot be drawn without. */
export interface Views {
  /** `login`: only the ways of logging in to the embedded wallet. */
  Connect: { login: true } | undefined
  ConnectWallets: undefined
  ConnectSocials: undefined
  AllWallets: undefined
  /** `key` of an entry of `wallets.shown`, and one namespace of it. */
  ConnectingExternal: { connectorId: string; namespace: Namespace }
  ConnectingMultiChain: { name: string }
  ConnectingWalletConnect: { wallet?: Wallet }
  ConnectingWalletConnectBasic: undefined
  ConnectingSocial: { provider: string }
  ConnectingFarcaster: undefined
  /** Ours: the specification has no passkey login. */
  ConnectingPasskey: undefined
  ConnectingSiwe: undefined
  Downloads: { wallet: Wallet }
  GetWallet: undefined
  WhatIsAWallet: undefined
  WhatIsANetwork: undefined
  Account: undefined
  AccountSettings: undefined
  ProfileWallets: undefined
  Networks: undefined
  SwitchNetwork: { network: ChainId }
  SwitchActiveChain: { namespace: Namespace; network?: ChainId }
  UnsupportedChain: { swap?: boolean } | undefined
  WalletReceive: undefined
  EmailLogin: undefined
  EmailVerifyOtp: { email: string }
  EmailVerifyDevice: { email: string }
  /** `redirectView`: where saving leads; without one there is no Cancel. */
  UpdateEmailWallet: { email?: string; redirectView?: ViewName } | undefined
  UpdateEmailPrimaryOtp: { email: string; redirectView?: ViewName }
  UpdateEmailSecondaryOtp: { email: string; redirectView?: ViewName }
  SIWXSignMessage: undefined
  ApproveTransaction: { requestId: string }
  RegisterAccountName: undefined
  RegisterAccountNameSuccess: undefined
  SmartSessionCreated: { context: string }
  SmartSessionList: undefined
}

/** The name of a view. */
export type ViewName = keyof Views

/** A view with its data. */
export type Route = { [Name in ViewName]: { readonly view: Name; readonly data: Views[Name] } }[ViewName]

/** The routes behind the one on screen, oldest first. Never empty. */
export type Stack = readonly [Route, ...Route[]]

type Data<Name extends ViewName> = undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]

/** A route to `view`; does not compile without the data that the view needs. */
export function route<Name extends ViewName>(view: Name, ...[data]: Data<Name>): Route {
  return { view, data } as Route
}
