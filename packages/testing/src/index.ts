export type { AnnouncedInfo } from './announceProvider.ts'
export { type Fault, type FaultyFetch, faultyFetch } from './faultyFetch.ts'
export type { FrameAnswer, FrameScript } from './frameResponses.ts'
export { type LocalChain, localChain } from './localChain.ts'
export type { Prompt } from './prompts.ts'
export { ProviderRpcError } from './providerRpcError.ts'
export type { LoggedRequest } from './requestLog.ts'
export {
  playFrame,
  type ScriptedFrame,
  type ScriptedFrameOptions,
  scriptedFrame,
} from './scriptedFrame.ts'
export {
  type Override,
  type ScriptedProvider,
  type ScriptedWallet,
  type ScriptedWalletOptions,
  scriptedWallet,
  type WalletScript,
} from './scriptedWallet.ts'
export { testAccounts } from './testAccounts.ts'
