import type { TypedDataDefinition } from 'viem'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import type { SolanaMessage } from './solanaMessage.ts'

/** A transaction as a page describes it; what it leaves out the network fills in. */
export interface EvmTransaction {
  readonly to?: `0x${string}` | undefined
  readonly value?: bigint | undefined
  readonly data?: `0x${string}` | undefined
  readonly nonce?: number | undefined
  readonly gas?: bigint | undefined
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}

/** A transaction of Solana: what travels, and what it says. */
export interface SolanaTransaction {
  readonly bytes: Uint8Array
  readonly message: SolanaMessage
}

/** What a request comes down to, once it has been read. */
export type ParsedRequest =
  /** A person decides. */
  | ApprovableRequest
  /** Nobody needs to be asked. */
  | { readonly type: 'answer'; readonly result: unknown }
  /** Nothing that this wallet does: the page hears the code, the visitor the sentence. */
  | {
      readonly type: 'refuse'
      readonly error: { readonly code: number; readonly message: string }
      readonly because: string
    }

/** A request that a person decides. */
export type ApprovableRequest =
  | (SigningContext & { readonly type: 'signText'; readonly bytes: Uint8Array })
  | (SigningContext & { readonly type: 'signTyped'; readonly typed: TypedDataDefinition })
  | (SigningContext & { readonly type: 'signTransaction' | 'sendTransaction'; readonly transaction: EvmTransaction })
  | (SigningContext & { readonly type: 'switchNetwork'; readonly to: Network })
  | (SigningContext & {
      readonly type: 'signSolana'
      readonly transactions: readonly SolanaTransaction[]
      readonly encoding: 'base64' | 'base58'
      readonly response: 'one' | 'all' | 'send'
      readonly sendOptions?: Readonly<Record<string, unknown>> | undefined
    })

/** Whose key is asked for, and where. */
export interface SigningContext {
  readonly account: Account
  readonly network: Network
}
