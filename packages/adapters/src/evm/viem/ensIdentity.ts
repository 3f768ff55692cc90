import type { Identity } from '@latchkey/core/adapter'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import type { Address, Chain, Client } from 'viem'
import { getEnsAvatar, getEnsName } from 'viem/actions'
import { mainnet } from 'viem/chains'
import { normalize } from 'viem/ens'

/** Reads the ENS name and avatar for `address`. The universal resolver also verifies that the name resolves to the address. */
export async function readIdentity(reader: Client, address: string): Promise<Identity> {
  const universalResolverAddress = resolverOf(reader.chain ?? mainnet)
  if (!universalResolverAddress) return {}
  const name = await getEnsName(reader, { address: address as Address, universalResolverAddress })
  // A name that is not normalized could imitate a different name.
  if (!name || normalize(name) !== name || sanitizeName(name, 255) !== name) return {}
  const image = await getEnsAvatar(reader, { name, universalResolverAddress }).catch(() => null)
  return image && /^(https:|data:image\/)/.test(image) ? { name, image } : { name }
}

/** Returns the ENS universal resolver on `chain`, if there is one. */
export function resolverOf(chain: Chain): Address | undefined {
  const contract = chain.contracts?.ensUniversalResolver
  return contract && 'address' in contract ? (contract as { address: Address }).address : undefined
}
