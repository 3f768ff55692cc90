/** A viem `Chain` for a local node. */
export interface LocalChain {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
  }
  readonly rpcUrls: { readonly default: { readonly http: readonly [string] } }
  readonly testnet: true
}

/** Creates a chain for use with `evm()`, viem or the scripted wallet. The default ID of local nodes is 31337. */
export function localChain({ rpcUrl, id = 31337, name }: { rpcUrl: string; id?: number; name?: string }): LocalChain {
  return {
    id,
    name: name ?? (id === 31337 ? 'Local chain' : `Local chain ${id}`),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet: true,
  }
}
