import type { ViewName } from './views.ts'

// Apart from `route`, which the page's buttons carry from the start.

/** The views that exist in this version; the others are known by name and unreachable until they are built. */
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

/** A view that has a screen. */
export type ImplementedView = (typeof implementedViews)[number]
