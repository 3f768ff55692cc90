import type { ViewName } from './views.ts'

// This list is separate from `route`, which is part of the buttons' initial bundle.

/** The views that are implemented in this version. Other views are declared, but cannot be opened. */
export const implementedViews = [
  // #region generated: views (npm run generate)
  'Connect',
  'ConnectWallets',
  'ConnectSocials',
  'AllWallets',
  'ConnectingExternal',
  'ConnectingMultiChain',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
  'ConnectingSocial',
  'ConnectingFarcaster',
  'ConnectingPasskey',
  'ConnectingSiwe',
  'Downloads',
  'GetWallet',
  'WhatIsAWallet',
  'WhatIsANetwork',
  'Account',
  'AccountSettings',
  'ProfileWallets',
  'Networks',
  'SwitchNetwork',
  'SwitchActiveChain',
  'UnsupportedChain',
  'WalletReceive',
  'EmailLogin',
  'EmailVerifyOtp',
  'EmailVerifyDevice',
  'UpdateEmailWallet',
  'UpdateEmailPrimaryOtp',
  'UpdateEmailSecondaryOtp',
  'SIWXSignMessage',
  'ApproveTransaction',
  'WalletCompatibleNetworks',
  'Transactions',
  'WalletSend',
  'WalletSendSelectToken',
  'WalletSendPreview',
  'Swap',
  'SwapSelectToken',
  'SwapPreview',
  'OnRampProviders',
  'OnRampFiatSelect',
  'OnRampTokenSelect',
  'BuyInProgress',
  'ChooseAccountName',
  'RegisterAccountName',
  'RegisterAccountNameSuccess',
  'SmartSessionCreated',
  'SmartSessionList',
  // #endregion
] as const satisfies readonly ViewName[]

/** An implemented view. */
export type ImplementedView = (typeof implementedViews)[number]
