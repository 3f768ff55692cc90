import type { Chain } from 'viem'

/** The fields of `/world.json` that the pages use. */
export interface KitWorld {
  readonly connect: string
  readonly keys: string
  readonly projectId: string
  readonly chains: readonly [Chain, Chain]
  readonly solana: { readonly chainId: `solana:${string}`; readonly url: string }
}

/** Loads the local environment of this page. */
export async function worldHere(): Promise<KitWorld> {
  return (await (await fetch('/world.json')).json()) as KitWorld
}
