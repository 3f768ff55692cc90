import type { Chain, Client } from 'viem'
import { getEnsAddress } from 'viem/actions'
import { mainnet } from 'viem/chains'
import { normalize, toCoinType } from 'viem/ens'
import { isContract } from './contractCode.ts'
import { resolverOf } from './ensIdentity.ts'

/**
 * Reads the address that an ENS name has on the chain with the ID `chainId` (ENSIP-11). If the name has none, the address on Ethereum
 * is used, unless a contract has it: its owner might not control the same address on another chain.
 */
export async function readEnsAddress(
  client: Client,
  { name, chainId }: { readonly name: string; readonly chainId: number },
): Promise<string | undefined> {
  const universalResolverAddress = resolverOf(client.chain ?? mainnet)
  const normalized = normalizedName(name)
  if (!universalResolverAddress || !normalized) return undefined
  const nameChain = (client.chain as Chain | undefined)?.id ?? mainnet.id
  const params = { name: normalized, universalResolverAddress }
  if (chainId === nameChain) return (await getEnsAddress(client, params)) ?? undefined
  const own = await getEnsAddress(client, { ...params, coinType: toCoinType(chainId) })
  if (own) return own
  const shared = await getEnsAddress(client, params)
  return shared && !(await isContract(client, shared)) ? shared : undefined
}

/** Normalizes a name (ENSIP-15). Returns `undefined` if it contains characters that are not allowed. */
function normalizedName(name: string): string | undefined {
  try {
    return normalize(name)
  } catch {
    return undefined
  }
}
