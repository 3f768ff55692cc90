'use client'

export type { Language as Locale } from '@latchkey/i18n/languages'
// 'use client' applies to the entire entry point, so the modules that it imports do not need the directive.
/** Latchkey's modal, buttons and hooks for React. */
export { AccountButton, type AccountButtonProps } from './buttons/AccountButton.tsx'
export type { BaseButtonProps, ButtonSize, PerBreakpoint } from './buttons/BaseButton.tsx'
export {
  ConnectButton,
  type ConnectButtonCustomProps,
  type ConnectButtonProps,
  type ConnectButtonState,
} from './buttons/ConnectButton.tsx'
export { NetworkButton, type NetworkButtonProps } from './buttons/NetworkButton.tsx'
export { useAccount } from './hooks/useAccount.ts'
export { useBalance } from './hooks/useBalance.ts'
export { type UseDisconnectReturnType, useDisconnect } from './hooks/useDisconnect.ts'
export { useLatchkey } from './hooks/useLatchkey.ts'
export {
  type ModalHandle,
  type UseModalReturnType,
  useAccountModal,
  useChainModal,
  useConnectModal,
  useModal,
} from './hooks/useModal.ts'
export { type UseNetworkReturnType, useNetwork } from './hooks/useNetwork.ts'
export { type UsePortfolioReturnType, usePortfolio } from './hooks/usePortfolio.ts'
export { type ProviderOf, useProvider } from './hooks/useProvider.ts'
export { type UseSignInReturnType, useSignIn } from './hooks/useSignIn.ts'
export { useSmartSessions } from './hooks/useSmartSessions.ts'
export { useStore } from './hooks/useStore.ts'
export { type UseTransactionsReturnType, useTransactions } from './hooks/useTransactions.ts'
export { useWalletInfo } from './hooks/useWalletInfo.ts'
export type { Messages } from './i18n/messages.ts'
export { LatchkeyContext } from './LatchkeyContext.ts'
export { LatchkeyPanel } from './LatchkeyPanel.tsx'
export { LatchkeyProvider, type LatchkeyProviderProps } from './LatchkeyProvider.tsx'
export type { Account } from './selectors.ts'
export type { SlotGroup, SlotRow, Slots } from './slots.ts'
