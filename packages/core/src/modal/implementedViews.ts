import type { ViewName } from './views.ts'

// Separate from `route`, which is in the initial bundle of the buttons.

/** The views implemented in this version. The other views are declared but cannot be opened. */
export const implementedViews = [
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
  'ConnectingSiwe',
  'ApproveTransaction',
  'SmartSessionCreated',
  'SmartSessionList',
] as const satisfies readonly ViewName[]

/** An implemented view. */
export type ImplementedView = (typeof implementedViews)[number]
