import type { TypedDataDefinition } from 'viem'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import type { SolanaMessage } from './solanaMessage.ts'

/** An EVM transaction as requested by a page. Fields that the page omits are filled in from the network. */
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

/** A Solana transaction: its serialized bytes and its decoded message. */
export interface SolanaTransaction {
  readonly bytes: Uint8Array
  readonly message: SolanaMessage
}

/** A parsed method call that requires the user's approval. */
export type ApprovalRequest =
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

/** The account and network of a signing request. */
export interface SigningContext {
  readonly account: Account
  readonly network: Network
}
