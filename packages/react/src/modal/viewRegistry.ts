import type { BuiltView } from '@latchkey/core'
import type { ComponentType } from 'react'
import type { ViewProps } from '../views/viewProps.ts'

// The code that most views need is fetched together with this list, so that opening a view only fetches that view's code.
export { LiveRegion, moreIcons, ProgressRing, TextField, VisuallyHidden } from '@latchkey/ui'
export { explorerLink } from '../views/explorerLink.ts'
export { translateError } from '../views/translateError.ts'
export { useClock } from '../views/useClock.ts'
export { useLazyModule } from '../views/useLazyModule.ts'
export { viewMessages } from '../views/viewMessages.ts'

/**
 * Loaders for all views except Connect, which is part of the modal's chunk. Each view is a separate chunk. This list is itself
 * loaded on demand, because new users see only Connect at first. Omitting a view is a type error.
 */
export const viewRegistry = {
  // #region generated: views (npm run generate)
  ConnectWallets: async () => (await import('../views/connect/ConnectWallets.tsx')).ConnectWallets,
  ConnectSocials: async () => (await import('../views/login/ConnectSocials.tsx')).ConnectSocials,
  AllWallets: async () => (await import('../views/connect/AllWallets.tsx')).AllWallets,
  ConnectingExternal: async () => (await import('../views/connect/ConnectingExternal.tsx')).ConnectingExternal,
  ConnectingMultiChain: async () => (await import('../views/connect/ConnectingMultiChain.tsx')).ConnectingMultiChain,
  ConnectingWalletConnect: async () =>
    (await import('../views/pairing/ConnectingWalletConnect.tsx')).ConnectingWalletConnect,
  ConnectingWalletConnectBasic: async () =>
    (await import('../views/pairing/ConnectingWalletConnectBasic.tsx')).ConnectingWalletConnectBasic,
  ConnectingSocial: async () => (await import('../views/login/ConnectingSocial.tsx')).ConnectingSocial,
  ConnectingFarcaster: async () => (await import('../views/login/ConnectingFarcaster.tsx')).ConnectingFarcaster,
  ConnectingPasskey: async () => (await import('../views/login/ConnectingPasskey.tsx')).ConnectingPasskey,
  ConnectingSiwe: async () => (await import('../views/signIn/SIWXSignMessage.tsx')).ConnectingSiwe,
  Downloads: async () => (await import('../views/connect/Downloads.tsx')).Downloads,
  GetWallet: async () => (await import('../views/connect/GetWallet.tsx')).GetWallet,
  WhatIsAWallet: async () => (await import('../views/connect/WhatIsAWallet.tsx')).WhatIsAWallet,
  WhatIsANetwork: async () => (await import('../views/network/WhatIsANetwork.tsx')).WhatIsANetwork,
  Account: async () => (await import('../views/account/Account.tsx')).Account,
  AccountSettings: async () => (await import('../views/account/AccountSettings.tsx')).AccountSettings,
  ProfileWallets: async () => (await import('../views/account/ProfileWallets.tsx')).ProfileWallets,
  Networks: async () => (await import('../views/network/Networks.tsx')).Networks,
  SwitchNetwork: async () => (await import('../views/network/SwitchNetwork.tsx')).SwitchNetwork,
  SwitchActiveChain: async () => (await import('../views/network/SwitchActiveChain.tsx')).SwitchActiveChain,
  UnsupportedChain: async () => (await import('../views/network/UnsupportedChain.tsx')).UnsupportedChain,
  WalletReceive: async () => (await import('../views/receive/WalletReceive.tsx')).WalletReceive,
  EmailLogin: async () => (await import('../views/login/EmailLogin.tsx')).EmailLogin,
  EmailVerifyOtp: async () => (await import('../views/login/EmailVerifyOtp.tsx')).EmailVerifyOtp,
  EmailVerifyDevice: async () => (await import('../views/login/EmailVerifyDevice.tsx')).EmailVerifyDevice,
  UpdateEmailWallet: async () => (await import('../views/login/UpdateEmailWallet.tsx')).UpdateEmailWallet,
  UpdateEmailPrimaryOtp: async () => (await import('../views/login/UpdateEmailPrimaryOtp.tsx')).UpdateEmailPrimaryOtp,
  UpdateEmailSecondaryOtp: async () =>
    (await import('../views/login/UpdateEmailSecondaryOtp.tsx')).UpdateEmailSecondaryOtp,
  SIWXSignMessage: async () => (await import('../views/signIn/SIWXSignMessage.tsx')).SIWXSignMessage,
  ApproveTransaction: async () => (await import('../views/login/ApproveTransaction.tsx')).ApproveTransaction,
  WalletCompatibleNetworks: async () =>
    (await import('../views/receive/WalletCompatibleNetworks.tsx')).WalletCompatibleNetworks,
  Transactions: async () => (await import('../views/transactions/Transactions.tsx')).Transactions,
  WalletSend: async () => (await import('../views/send/WalletSend.tsx')).WalletSend,
  WalletSendSelectToken: async () => (await import('../views/send/WalletSendSelectToken.tsx')).WalletSendSelectToken,
  WalletSendPreview: async () => (await import('../views/send/WalletSendPreview.tsx')).WalletSendPreview,
  Swap: async () => (await import('../views/swap/Swap.tsx')).Swap,
  SwapSelectToken: async () => (await import('../views/swap/SwapSelectToken.tsx')).SwapSelectToken,
  SwapPreview: async () => (await import('../views/swap/SwapPreview.tsx')).SwapPreview,
  OnRampProviders: async () => (await import('../views/onramp/OnRampProviders.tsx')).OnRampProviders,
  OnRampFiatSelect: async () => (await import('../views/onramp/OnRampFiatSelect.tsx')).OnRampFiatSelect,
  OnRampTokenSelect: async () => (await import('../views/onramp/OnRampTokenSelect.tsx')).OnRampTokenSelect,
  BuyInProgress: async () => (await import('../views/onramp/BuyInProgress.tsx')).BuyInProgress,
  ChooseAccountName: async () => (await import('../views/names/ChooseAccountName.tsx')).ChooseAccountName,
  RegisterAccountName: async () => (await import('../views/names/RegisterAccountName.tsx')).RegisterAccountName,
  RegisterAccountNameSuccess: async () =>
    (await import('../views/names/RegisterAccountNameSuccess.tsx')).RegisterAccountNameSuccess,
  SmartSessionCreated: async () => (await import('../views/smartSessions/SmartSessionCreated.tsx')).SmartSessionCreated,
  SmartSessionList: async () => (await import('../views/smartSessions/SmartSessionList.tsx')).SmartSessionList,
  // #endregion
} satisfies {
  readonly [Name in Exclude<BuiltView, 'Connect'>]: () => Promise<ComponentType<ViewProps<Name>>>
} as ViewRegistry

/** The type of `viewRegistry`. */
export type ViewRegistry = Readonly<
  Record<Exclude<BuiltView, 'Connect'>, () => Promise<ComponentType<ViewProps<never>>>>
>
