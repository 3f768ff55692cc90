import type { BuiltView } from '@latchkey/core'
import type { ComponentType } from 'react'
import type { LoginScreens } from './loginScreens.ts'
import type { ViewProps } from './viewProps.ts'

// The addresses of these views come with the first of them: most pages never need one.
const login = <Name extends keyof LoginScreens>(view: Name): LoginScreens[Name] =>
  // TypeScript does not see that the name picks the same view on both sides.
  (async () => (await import('./loginScreens.ts')).loginScreens[view]() as Promise<unknown>) as LoginScreens[Name]

/** Where each view is. One chunk each; a view without a screen does not compile. */
export const screens = {
  Connect: async () => (await import('../views/connect/Connect.tsx')).Connect,
  ConnectWallets: async () => (await import('../views/connect/ConnectWallets.tsx')).ConnectWallets,
  AllWallets: async () => (await import('../views/connect/AllWallets.tsx')).AllWallets,
  ConnectingExternal: async () => (await import('../views/connect/ConnectingExternal.tsx')).ConnectingExternal,
  ConnectingMultiChain: async () => (await import('../views/connect/ConnectingMultiChain.tsx')).ConnectingMultiChain,
  ConnectingWalletConnect: login('ConnectingWalletConnect'),
  ConnectingWalletConnectBasic: login('ConnectingWalletConnectBasic'),
  Downloads: async () => (await import('../views/connect/Downloads.tsx')).Downloads,
  GetWallet: async () => (await import('../views/connect/GetWallet.tsx')).GetWallet,
  WhatIsAWallet: async () => (await import('../views/connect/WhatIsAWallet.tsx')).WhatIsAWallet,
  WhatIsANetwork: async () => (await import('../views/network/WhatIsANetwork.tsx')).WhatIsANetwork,
  Account: async () => (await import('../views/account/Account.tsx')).Account,
  ProfileWallets: async () => (await import('../views/account/ProfileWallets.tsx')).ProfileWallets,
  Networks: async () => (await import('../views/network/Networks.tsx')).Networks,
  SwitchNetwork: async () => (await import('../views/network/SwitchNetwork.tsx')).SwitchNetwork,
  SwitchActiveChain: async () => (await import('../views/network/SwitchActiveChain.tsx')).SwitchActiveChain,
  UnsupportedChain: async () => (await import('../views/network/UnsupportedChain.tsx')).UnsupportedChain,
  WalletReceive: async () => (await import('../views/account/WalletReceive.tsx')).WalletReceive,
  ConnectSocials: login('ConnectSocials'),
  ConnectingSocial: login('ConnectingSocial'),
  ConnectingFarcaster: login('ConnectingFarcaster'),
  ConnectingPasskey: login('ConnectingPasskey'),
  AccountSettings: login('AccountSettings'),
  EmailLogin: login('EmailLogin'),
  EmailVerifyOtp: login('EmailVerifyOtp'),
  EmailVerifyDevice: login('EmailVerifyDevice'),
  UpdateEmailWallet: login('UpdateEmailWallet'),
  UpdateEmailPrimaryOtp: login('UpdateEmailPrimaryOtp'),
  UpdateEmailSecondaryOtp: login('UpdateEmailSecondaryOtp'),
  SIWXSignMessage: login('SIWXSignMessage'),
  ConnectingSiwe: login('ConnectingSiwe'),
  ApproveTransaction: login('ApproveTransaction'),
  SmartSessionCreated: login('SmartSessionCreated'),
  SmartSessionList: login('SmartSessionList'),
} satisfies { readonly [Name in BuiltView]: () => Promise<ComponentType<ViewProps<Name>>> } as Screens

/** A way to each view's component. */
export type Screens = Readonly<Record<BuiltView, () => Promise<ComponentType<ViewProps<never>>>>>
