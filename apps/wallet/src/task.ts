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
export type Task =
  /** A person decides. */
  | Asked
  /** Nobody needs to be asked. */
  | { readonly do: 'answer'; readonly result: unknown }
  /** Nothing that this wallet does: the page hears the code, the visitor the sentence. */
  | {
      readonly do: 'refuse'
      readonly error: { readonly code: number; readonly message: string }
      readonly because: string
    }

/** A request that a person decides. */
export type Asked =
  | (Setting & { readonly do: 'signText'; readonly bytes: Uint8Array })
  | (Setting & { readonly do: 'signTyped'; readonly typed: TypedDataDefinition })
  | (Setting & { readonly do: 'signTransaction' | 'sendTransaction'; readonly transaction: EvmTransaction })
  | (Setting & { readonly do: 'switchNetwork'; readonly to: Network })
  | (Setting & {
      readonly do: 'signSolana'
      readonly transactions: readonly SolanaTransaction[]
      readonly encoding: 'base64' | 'base58'
      readonly answers: 'one' | 'all' | 'send'
      readonly sendOptions?: Readonly<Record<string, unknown>> | undefined
    })

/** Whose key is asked for, and where. */
export interface Setting {
  readonly account: Account
  readonly network: Network
}
