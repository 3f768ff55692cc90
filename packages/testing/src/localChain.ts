/** A viem `Chain` for a node on this machine. */
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

/** A chain to hand to `evm()`, viem or the scripted wallet; 31337 is what local nodes call themselves. */
export function localChain({ rpcUrl, id = 31337, name }: { rpcUrl: string; id?: number; name?: string }): LocalChain {
  return {
    id,
    name: name ?? (id === 31337 ? 'Local chain' : `Local chain ${id}`),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet: true,
  }
}
