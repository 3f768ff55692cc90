/** A chain in the local environment, in viem's format. */
export interface EnvironmentChain {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: { readonly default: { readonly http: readonly [string] } }
  readonly testnet: true
}

/** The local environment: the URLs of its services and chains, its test token and its funded accounts. */
export interface Environment {
  readonly connect: string
  /** The WalletConnect relay. */
  readonly relay: string
  /** The origin of the embedded wallet's frame. */
  readonly keys: string
  readonly projectId: string
  readonly chains: readonly [EnvironmentChain, ...EnvironmentChain[]]
  readonly token: {
    readonly address: `0x${string}`
    readonly symbol: string
    readonly decimals: number
    readonly chainId: number
  }
  /** The exchange on the first chain. Absent if its contracts could not be deployed. */
  readonly exchange?: { readonly contracts: { readonly router: `0x${string}`; readonly wrappedNative: `0x${string}` } }
  readonly accounts: readonly { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }[]
}

/** Reads `/environment.json`, which the local environment serves next to this page. */
export async function loadEnvironment(): Promise<Environment> {
  const response = await fetch('/environment.json')
  const world = (await response.json()) as Partial<Environment>
  // Our own server writes this file, so its contents are trusted. The check only detects whether the page is served
  // by a different server.
  if (!Array.isArray(world.chains) || world.chains.length === 0 || !world.token) {
    throw new Error('This page is not served by the local environment.')
  }
  return world as Environment
}
