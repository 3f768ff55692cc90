import type { Chain, Client } from 'viem'
import { getEnsAddress } from 'viem/actions'
import { mainnet } from 'viem/chains'
import { normalize, toCoinType } from 'viem/ens'
import { isContract } from './contractCode.ts'
import { resolverOf } from './ensIdentity.ts'

/**
 * Reads the address that an ENS name has on the chain with the ID `chainId` (ENSIP-11), or else on all EVM chains (ENSIP-19).
 * If the name has neither, the address on Ethereum is used, unless it belongs to a contract, whose owner might not control the
 * same address on another chain.
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
  if (chainId !== mainnet.id) {
    for (const chain of [chainId, everyChain]) {
      const own = await getEnsAddress(client, { ...params, coinType: toCoinType(chain) })
      if (own) return own
    }
  }
  const shared = await getEnsAddress(client, params)
  const isShared = shared && (chainId === nameChain || !(await isContract(client, shared)))
  return isShared ? shared : undefined
}

/** The chain ID whose coin type represents all EVM chains. */
const everyChain = 0

/** Normalizes a name (ENSIP-15). Returns `undefined` if it contains characters that are not allowed. */
function normalizedName(name: string): string | undefined {
  try {
    return normalize(name)
  } catch {
    return undefined
  }
}
