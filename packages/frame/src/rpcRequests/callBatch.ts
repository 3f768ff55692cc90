import type { ChainId } from '@latchkey/protocol/caip'

/** Calls that were sent as a batch, either as one transaction per call or as a single user operation. */
export type CallBatch =
  | { readonly chain: ChainId; readonly hashes: readonly string[] }
  | { readonly chain: ChainId; readonly operation: `0x${string}` }
