import type { Eip1193Provider, Identity } from '@latchkey/core/adapter'
import { type Address, type Chain, type Client, createClient, custom, http, type Transport } from 'viem'
import { getBalance, getEnsAvatar, getEnsName } from 'viem/actions'
import { mainnet } from 'viem/chains'
import { normalize } from 'viem/ens'
import { shownName } from '../appearance.ts'

/** Where a read goes: the host's chain and transport as they are, or the wallet's own provider. */
export type ReadFrom =
  | { readonly chain: Chain; readonly transport: Transport | undefined }
  | { readonly provider: Eip1193Provider }

/** A client for reading; `createClient` rather than `createPublicClient`, which would bring every action along. */
export function readerOf(from: ReadFrom): Client<Transport, Chain | undefined> {
  if ('chain' in from) return createClient({ chain: from.chain, transport: from.transport ?? http() })
  return createClient({ transport: custom(from.provider as Parameters<typeof custom>[0], { retryCount: 0 }) })
}

/** The native balance of `address`, in base units. */
export function readBalance(reader: Client, address: string): Promise<bigint> {
  return getBalance(reader, { address: address as Address })
}

/** The ENS name of `address` and its picture, as far as they resolve; the universal resolver checks the way back. */
export async function readIdentity(reader: Client, address: string): Promise<Identity> {
  const universalResolverAddress = resolverOf(reader.chain ?? mainnet)
  if (!universalResolverAddress) return {}
  const name = await getEnsName(reader, { address: address as Address, universalResolverAddress })
  // A name that is not in its normal form could look like another.
  if (!name || normalize(name) !== name || shownName(name, 255) !== name) return {}
  const image = await getEnsAvatar(reader, { name, universalResolverAddress }).catch(() => null)
  return image && /^(https:|data:image\/)/.test(image) ? { name, image } : { name }
}

/** The ENS universal resolver of `chain`, where it has one. */
export function resolverOf(chain: Chain): Address | undefined {
  const contract = chain.contracts?.ensUniversalResolver
  return contract && 'address' in contract ? (contract as { address: Address }).address : undefined
}
