import type { ChainId } from '@latchkey/protocol/caip'

/** A wallet request whose method and parameters have passed. */
export interface WalletRpcRequest {
  readonly id: string | undefined
  /** The page, as the browser reports it. */
  readonly origin: string
  readonly chain: ChainId<'eip155' | 'solana'>
  readonly method: string
  readonly params: unknown
}
