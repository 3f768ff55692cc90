import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/apiRoutes'

/** All views, with the data that each view requires. */
export interface Views {
  /** `login`: show only the login methods of the embedded wallet. */
  Connect: { login: true } | undefined
  ConnectWallets: undefined
  ConnectSocials: undefined
  AllWallets: undefined
  /** `connectorId`: the id of a discovered connector. */
  ConnectingExternal: { connectorId: string; namespace: Namespace }
  ConnectingMultiChain: { name: string }
  ConnectingWalletConnect: { wallet?: Wallet }
  ConnectingWalletConnectBasic: undefined
  ConnectingSocial: { provider: string }
  ConnectingFarcaster: undefined
  /** An addition of Latchkey. The specification has no passkey login. */
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
  /** `redirectView`: the view to open after saving. Without it there is no Cancel button. */
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

/** A view and its data. */
export type Route = { [Name in ViewName]: { readonly view: Name; readonly data: Views[Name] } }[ViewName]

/** The navigation stack, oldest route first. Never empty. */
export type Stack = readonly [Route, ...Route[]]

type Data<Name extends ViewName> = undefined extends Views[Name] ? [data?: Views[Name]] : [data: Views[Name]]

/** Creates a route to `view`. The types require the data that the view needs. */
export function route<Name extends ViewName>(view: Name, ...[data]: Data<Name>): Route {
  return { view, data } as Route
}
