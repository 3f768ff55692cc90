import type { ChainId } from '@latchkey/protocol/caip'

/** A wallet request with a validated method and parameters. */
export interface WalletRpcRequest {
  readonly id: string | undefined
  /** The page's origin, as reported by the browser. */
  readonly origin: string
  readonly chain: ChainId<'eip155' | 'solana'>
  readonly method: string
  readonly params: unknown
}
