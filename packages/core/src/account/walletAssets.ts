import { formatUnits } from '@latchkey/protocol/amount'
import type { ChainId } from '@latchkey/protocol/caip'
import { parseChainId } from '@latchkey/protocol/caip'
import type { TokenBalance } from '@latchkey/protocol/http/chainApi'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import type { Eip1193Provider, Session } from '../adapter.ts'

const text = (max: number) => v.pipe(v.string(), v.maxLength(max))
const asset = v.object({
  address: v.union([v.literal('native'), v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,64}$/i))]),
  balance: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{0,64}$/i)),
  type: v.picklist(['NATIVE', 'ERC20']),
  metadata: v.object({
    name: text(10_000),
    symbol: text(10_000),
    decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255)),
    price: v.pipe(v.number(), v.finite(), v.minValue(0)),
    iconUrl: text(10_000),
    value: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  }),
})
const maxAssets = 2_000
const assetDiscovery = v.object({ assetDiscovery: v.object({ supported: v.boolean() }) })
/** The schema for a response of `wallet_getAssets` (ERC-7811): lists of assets, keyed by hex chain ID. */
const assets = v.record(v.string(), v.pipe(v.array(asset), v.maxLength(maxAssets)))

/**
 * Requests the assets of the active account from the wallet (ERC-7811), as balances like those of a server. Resolves to
 * `undefined` if the wallet does not offer asset discovery on `chain` (EIP-5792), or if its response is invalid.
 */
export async function readWalletAssets(
  session: Session | undefined,
  { chain, address }: { chain: ChainId; address: string },
): Promise<readonly TokenBalance[] | undefined> {
  const parts = parseChainId(chain)
  if (parts?.namespace !== 'eip155' || !/^\d{1,78}$/.test(parts.reference) || !session?.can.capabilities)
    return undefined
  const hexChain = `0x${BigInt(parts.reference).toString(16)}`
  try {
    const capabilities = await session.can.capabilities()
    const offered = read(assetDiscovery, capabilities[hexChain])
    if (!offered?.assetDiscovery.supported) return undefined
    const response = await (session.provider as Eip1193Provider).request({
      method: 'wallet_getAssets',
      params: [{ account: address, chainFilter: [hexChain] }],
    })
    const all = read(assets, response)
    return all && (all[hexChain] ?? []).map((found) => balanceOf(found, chain))
  } catch {
    // Wallets are not required to support the method, so the server is used instead.
    return undefined
  }
}

/** Whether a wallet reports assets without any prices. Such a wallet often reports only some of the account's tokens. */
export function lacksPrices(assets: readonly TokenBalance[]): boolean {
  return assets.length > 0 && assets.every(({ price }) => price === 0)
}

/**
 * Completes a wallet's assets with the server's prices and logos, and with the tokens that the wallet does not list. The wallet's
 * amounts are kept. If the two report different decimal places, those of the wallet are used, and the price is omitted. Tokens that
 * only the wallet reports are unlisted, unless `balances` is `undefined` because the server did not respond.
 */
export function completeAssets(
  assets: readonly TokenBalance[],
  balances: readonly TokenBalance[] | undefined,
): readonly TokenBalance[] {
  const keyOf = ({ address }: TokenBalance): string => address?.toLowerCase() ?? 'native'
  const known = new Map((balances ?? []).map((balance) => [keyOf(balance), balance]))
  const own = assets.map((asset) => {
    const listed = known.get(keyOf(asset))
    known.delete(keyOf(asset))
    if (listed?.quantity.decimals === asset.quantity.decimals) return { ...listed, quantity: asset.quantity }
    const isUnlisted = asset.address !== undefined && (listed ? listed.isUnlisted : balances !== undefined)
    return isUnlisted ? { ...asset, isUnlisted } : asset
  })
  return [...own, ...known.values()]
}

/** Converts an asset to a balance as in a response of the server. */
function balanceOf({ address, balance, type, metadata }: v.InferOutput<typeof asset>, chain: ChainId): TokenBalance {
  const { name, symbol, decimals, price, iconUrl, value } = metadata
  return {
    name,
    symbol,
    chainId: chain,
    ...(type === 'ERC20' && { address: `${chain}:${address}` }),
    ...(value !== undefined && { value }),
    price,
    quantity: { decimals: String(decimals), numeric: formatUnits(BigInt(balance === '0x' ? 0 : balance), decimals) },
    iconUrl,
    priceSource: 'wallet',
  }
}
