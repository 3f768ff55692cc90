/** A viem `Chain` for a local node. */
export interface LocalChain {
  /** The chain ID (EIP-155), 31337 by default. */
  readonly id: number
  /** The display name. By default, `Local chain`, followed by the ID unless the ID is 31337. */
  readonly name: string
  /** Ether, with 18 decimal places. */
  readonly nativeCurrency: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
  }
  /** The RPC URL of the node, in viem's format. */
  readonly rpcUrls: { readonly default: { readonly http: readonly [string] } }
  /** Always `true`. */
  readonly testnet: true
}

/**
 * Creates a chain for use with `evm()`, viem or the scripted wallet. `id` defaults to 31337, the usual ID of local nodes.
 *
 * @example
 * const chain = localChain({ rpcUrl: 'http://127.0.0.1:8545' })
 */
export function localChain({ rpcUrl, id = 31337, name }: { rpcUrl: string; id?: number; name?: string }): LocalChain {
  return {
    id,
    name: name ?? (id === 31337 ? 'Local chain' : `Local chain ${id}`),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet: true,
  }
}
