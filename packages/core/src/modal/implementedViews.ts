import type { ViewName } from './views.ts'

// Separate from `route`, which is in the initial bundle of the buttons.

/** The views implemented in this version. The other views are declared but cannot be opened. */
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
  'SmartSessionCreated',
  'SmartSessionList',
  // #endregion
] as const satisfies readonly ViewName[]

/** An implemented view. */
export type ImplementedView = (typeof implementedViews)[number]
