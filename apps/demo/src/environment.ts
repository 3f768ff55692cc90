/** A chain of the local world, as viem takes it. */
export interface EnvironmentChain {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: { readonly default: { readonly http: readonly [string] } }
  readonly testnet: true
}

/** Where this page's server, chains and token are. */
export interface Environment {
  readonly connect: string
  /** WalletConnect's relay. */
  readonly relay: string
  /** The embedded wallet's frame. */
  readonly keys: string
  readonly projectId: string
  readonly chains: readonly [EnvironmentChain, ...EnvironmentChain[]]
  readonly token: {
    readonly address: `0x${string}`
    readonly symbol: string
    readonly decimals: number
    readonly chainId: number
  }
  readonly accounts: readonly { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }[]
}

/** Reads `/world.json`, which the local world serves beside this page. */
export async function loadEnvironment(): Promise<Environment> {
  const response = await fetch('/world.json')
  const world = (await response.json()) as Partial<Environment>
  // Our own server wrote it; this catches a page that is served by something else.
  if (!Array.isArray(world.chains) || world.chains.length === 0 || !world.token) {
    throw new Error('This page is not served by the local world.')
  }
  return world as Environment
}
