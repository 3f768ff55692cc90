export { type WalletConnectOptions, walletConnect } from './walletconnect.ts'
