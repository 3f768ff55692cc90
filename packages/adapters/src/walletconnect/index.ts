export { type PairingOffer, type WalletConnectOptions, walletConnect } from './walletconnect.ts'
