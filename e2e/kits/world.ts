import type { Chain } from 'viem'

/** What the pages need of `/world.json`. */
export interface KitWorld {
  readonly connect: string
  readonly keys: string
  readonly projectId: string
  readonly chains: readonly [Chain, Chain]
  readonly solana: { readonly chainId: `solana:${string}`; readonly url: string }
}

/** The world of this page. */
export async function worldHere(): Promise<KitWorld> {
  return (await (await fetch('/world.json')).json()) as KitWorld
}
