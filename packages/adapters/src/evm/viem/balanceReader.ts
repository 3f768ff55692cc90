import type { Eip1193Provider } from '@latchkey/core/adapter'
import { type Chain, type Client, createClient, custom, http, type Transport } from 'viem'

/** Where a read goes: the host's chain and transport as they are, or the wallet's own provider. */
export type ReadFrom =
  | { readonly chain: Chain; readonly transport: Transport | undefined; readonly fetch?: typeof fetch | undefined }
  | { readonly provider: Eip1193Provider }

/** A viem client for reading. Not `createPublicClient`, which would bring every action along. */
export function readerOf(from: ReadFrom): Client<Transport, Chain | undefined> {
  if ('chain' in from) {
    const { chain, fetch } = from
    return createClient({ chain, transport: from.transport ?? http(undefined, fetch ? { fetchFn: fetch } : {}) })
  }
  return createClient({ transport: custom(from.provider as Parameters<typeof custom>[0], { retryCount: 0 }) })
}

/** The native balance of `address`, in base units. By the plain method: viem's action brings multicall along. */
export async function readBalance(reader: Client, address: string): Promise<bigint> {
  const told = await reader.request({ method: 'eth_getBalance', params: [address as `0x${string}`, 'latest'] })
  // A node that is none, or a wallet's own idea of an answer: `BigInt` would read "" as nothing owned.
  if (typeof told !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(told))
    throw new TypeError('The node told a balance that is none.')
  return BigInt(told)
}
