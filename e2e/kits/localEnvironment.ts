import type { Chain } from 'viem'

/** The fields of `/environment.json` that the pages use. */
export interface LocalEnvironment {
  readonly connect: string
  readonly keys: string
  readonly projectId: string
  readonly chains: readonly [Chain, Chain]
  readonly solana: { readonly chainId: `solana:${string}`; readonly url: string }
}

/** Loads the local environment that serves this page. */
export async function loadLocalEnvironment(): Promise<LocalEnvironment> {
  return (await (await fetch('/environment.json')).json()) as LocalEnvironment
}
