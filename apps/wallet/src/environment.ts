import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import type { Network } from './networks.ts'

/** The relay, networks and test accounts of this wallet. */
export interface Environment {
  /** The URL of a relay (`wss://…`). */
  readonly relay: string
  readonly projectId: string
  /** The origin of the verify service, which attests to the origins of pages. */
  readonly verify: string
  readonly networks: readonly Network[]
  /** Publicly known private keys, which are only set in local development. */
  readonly testKeys: readonly `0x${string}`[]
}

const key = v.custom<`0x${string}`>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value))

const worldSchema = v.object({
  relay: v.pipe(v.string(), v.regex(/^wss?:\/\//)),
  projectId: v.string(),
  connect: v.pipe(v.string(), v.url()),
  chains: v.array(
    v.object({
      id: v.pipe(v.number(), v.integer()),
      name: v.string(),
      nativeCurrency: v.object({ name: v.string(), symbol: v.string(), decimals: v.number() }),
      rpcUrls: v.object({ default: v.object({ http: v.pipe(v.array(v.string()), v.minLength(1)) }) }),
    }),
  ),
  solana: v.optional(v.object({ chainId: v.pipe(v.string(), v.regex(/^solana:\w{32}$/)), url: v.string() })),
  accounts: v.optional(v.array(v.object({ privateKey: key })), []),
})

/** Loads `/environment.json` from the local dev server. Replace this with your own relay and networks. */
export async function loadEnvironment(fetch: typeof globalThis.fetch): Promise<Environment> {
  const answer = await fetch('/environment.json')
  const world = answer.ok ? read(worldSchema, await answer.json().catch(() => undefined)) : undefined
  if (!world) throw new Error('This page is not served by the local environment.')
  const { relay, projectId, connect, chains, solana, accounts } = world
  const evm = chains.map(
    ({ id, name, nativeCurrency, rpcUrls }): Network => ({
      id: `eip155:${id}`,
      name,
      rpcUrl: rpcUrls.default.http[0] as string,
      currency: nativeCurrency,
    }),
  )
  const sol: Network[] = solana
    ? [
        {
          id: solana.chainId as `solana:${string}`,
          name: 'Local Solana',
          rpcUrl: solana.url,
          currency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
        },
      ]
    : []
  return {
    relay,
    projectId,
    verify: connect,
    networks: [...evm, ...sol],
    testKeys: accounts.map(({ privateKey }) => privateKey),
  }
}
