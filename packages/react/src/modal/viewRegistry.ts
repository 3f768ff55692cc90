import type { BuiltView } from '@latchkey/core'
import type { ComponentType } from 'react'
import type { ViewProps } from '../views/viewProps.ts'
import type { DeferredViewRegistry } from './deferredViewRegistry.ts'

// The loaders for these views are in a separate chunk, because most pages do not need them.
const deferred = <Name extends keyof DeferredViewRegistry>(view: Name): DeferredViewRegistry[Name] =>
  // TypeScript cannot infer that `view` selects the same view on both sides, so the assertion is needed.
  (async () =>
    (await import('./deferredViewRegistry.ts')).deferredViewRegistry[
      view
    ]() as Promise<unknown>) as DeferredViewRegistry[Name]

/** Loaders for all views. Each view is a separate chunk. A view without a component is a type error. */
export const viewRegistry = {
  // #region generated: views (npm run generate)
  Connect: async () => (await import('../views/connect/Connect.tsx')).Connect,
  ConnectWallets: async () => (await import('../views/connect/ConnectWallets.tsx')).ConnectWallets,
  ConnectSocials: deferred('ConnectSocials'),
  AllWallets: async () => (await import('../views/connect/AllWallets.tsx')).AllWallets,
  ConnectingExternal: async () => (await import('../views/connect/ConnectingExternal.tsx')).ConnectingExternal,
  ConnectingMultiChain: async () => (await import('../views/connect/ConnectingMultiChain.tsx')).ConnectingMultiChain,
  ConnectingWalletConnect: deferred('ConnectingWalletConnect'),
  ConnectingWalletConnectBasic: deferred('ConnectingWalletConnectBasic'),
  ConnectingSocial: deferred('ConnectingSocial'),
  ConnectingFarcaster: deferred('ConnectingFarcaster'),
  ConnectingPasskey: deferred('ConnectingPasskey'),
  ConnectingSiwe: deferred('ConnectingSiwe'),
  Downloads: async () => (await import('../views/connect/Downloads.tsx')).Downloads,
  GetWallet: async () => (await import('../views/connect/GetWallet.tsx')).GetWallet,
  WhatIsAWallet: async () => (await import('../views/connect/WhatIsAWallet.tsx')).WhatIsAWallet,
  WhatIsANetwork: async () => (await import('../views/network/WhatIsANetwork.tsx')).WhatIsANetwork,
  Account: async () => (await import('../views/account/Account.tsx')).Account,
  AccountSettings: deferred('AccountSettings'),
  ProfileWallets: async () => (await import('../views/account/ProfileWallets.tsx')).ProfileWallets,
  Networks: async () => (await import('../views/network/Networks.tsx')).Networks,
  SwitchNetwork: async () => (await import('../views/network/SwitchNetwork.tsx')).SwitchNetwork,
  SwitchActiveChain: async () => (await import('../views/network/SwitchActiveChain.tsx')).SwitchActiveChain,
  UnsupportedChain: async () => (await import('../views/network/UnsupportedChain.tsx')).UnsupportedChain,
  WalletReceive: async () => (await import('../views/account/WalletReceive.tsx')).WalletReceive,
  EmailLogin: deferred('EmailLogin'),
  EmailVerifyOtp: deferred('EmailVerifyOtp'),
  EmailVerifyDevice: deferred('EmailVerifyDevice'),
  UpdateEmailWallet: deferred('UpdateEmailWallet'),
  UpdateEmailPrimaryOtp: deferred('UpdateEmailPrimaryOtp'),
  UpdateEmailSecondaryOtp: deferred('UpdateEmailSecondaryOtp'),
  SIWXSignMessage: deferred('SIWXSignMessage'),
  ApproveTransaction: deferred('ApproveTransaction'),
  SmartSessionCreated: deferred('SmartSessionCreated'),
  SmartSessionList: deferred('SmartSessionList'),
  // #endregion
} satisfies { readonly [Name in BuiltView]: () => Promise<ComponentType<ViewProps<Name>>> } as ViewRegistry

/** The type of `viewRegistry`. */
export type ViewRegistry = Readonly<Record<BuiltView, () => Promise<ComponentType<ViewProps<never>>>>>
