import type { Eip1193Provider } from '@latchkey/core/adapter'
import { type Chain, type Client, createClient, custom, http, type Transport } from 'viem'

/** The source of chain data: a configured chain with its transport, or the wallet's provider. */
export type ReadFrom =
  | { readonly chain: Chain; readonly transport: Transport | undefined; readonly fetch?: typeof fetch | undefined }
  | { readonly provider: Eip1193Provider }

/** Creates a viem client for reading data. Does not use `createPublicClient`, which would bundle all actions. */
export function readerOf(from: ReadFrom): Client<Transport, Chain | undefined> {
  if ('chain' in from) {
    const { chain, fetch } = from
    return createClient({ chain, transport: from.transport ?? http(undefined, fetch ? { fetchFn: fetch } : {}) })
  }
  return createClient({ transport: custom(from.provider as Parameters<typeof custom>[0], { retryCount: 0 }) })
}

/**
 * Reads the native balance of `address` in base units. Calls the RPC method directly, because viem's action would bundle
 * multicall.
 */
export async function readBalance(reader: Client, address: string): Promise<bigint> {
  const balance = await reader.request({ method: 'eth_getBalance', params: [address as `0x${string}`, 'latest'] })
  // Validate the response from the node or wallet, because `BigInt` would parse an empty string as zero.
  if (typeof balance !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(balance))
    throw new TypeError('The node returned an invalid balance.')
  return BigInt(balance)
}
