export { type Fault, type FaultyFetch, faultyFetch } from './faults.ts'
export { type LocalChain, localChain } from './localChain.ts'
export { ProviderRpcError } from './providerRpcError.ts'
export {
  type FrameAnswer,
  type FrameScript,
  playFrame,
  type ScriptedFrame,
  type ScriptedFrameOptions,
  scriptedFrame,
} from './scriptedFrame.ts'
export {
  type AnnouncedInfo,
  type LoggedRequest,
  type Override,
  type Prompt,
  type ScriptedProvider,
  type ScriptedWallet,
  type ScriptedWalletOptions,
  scriptedWallet,
  type WalletScript,
} from './scriptedWallet.ts'
export { testAccounts } from './testAccounts.ts'
