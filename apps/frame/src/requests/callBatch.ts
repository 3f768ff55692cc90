import type { ChainId } from '@latchkey/protocol/caip'

/** Calls that were sent together: a transaction each, or all as one user operation. */
export type CallBatch =
  | { readonly chain: ChainId; readonly hashes: readonly string[] }
  | { readonly chain: ChainId; readonly operation: `0x${string}` }
