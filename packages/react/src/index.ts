'use client'

// Of the whole entry: a server component that imports a hook is told so, and the files behind it need no word of their own.
/** The Latchkey modal, buttons and hooks for React. */
export { AccountButton, type AccountButtonProps } from './buttons/AccountButton.tsx'
export {
  ConnectButton,
  type ConnectButtonProps,
  type ConnectButtonState,
  type CustomProps,
} from './buttons/ConnectButton.tsx'
export { NetworkButton, type NetworkButtonProps } from './buttons/NetworkButton.tsx'
export type { ButtonSize, PageButtonProps, PerBreakpoint } from './buttons/PageButton.tsx'
export { LatchkeyContext } from './context.ts'
export { useAccount } from './hooks/useAccount.ts'
export { useBalance } from './hooks/useBalance.ts'
export { type Disconnect, useDisconnect } from './hooks/useDisconnect.ts'
export { useLatchkey } from './hooks/useLatchkey.ts'
export {
  type Door,
  type ModalControl,
  useAccountModal,
  useChainModal,
  useConnectModal,
  useModal,
} from './hooks/useModal.ts'
export { type NetworkNow, useNetwork } from './hooks/useNetwork.ts'
export { type ProviderOf, useProvider } from './hooks/useProvider.ts'
export { type SignInNow, useSignIn } from './hooks/useSignIn.ts'
export { useSmartSessions } from './hooks/useSmartSessions.ts'
export { useStore } from './hooks/useStore.ts'
export { useWalletInfo } from './hooks/useWalletInfo.ts'
export type { Locale } from './i18n/locales.ts'
export type { Messages } from './i18n/messages.ts'
export { LatchkeyPanel } from './LatchkeyPanel.tsx'
export { LatchkeyProvider, type LatchkeyProviderProps } from './LatchkeyProvider.tsx'
export type { Account } from './select.ts'
export type { SlotGroup, SlotRow, Slots } from './slots.ts'
