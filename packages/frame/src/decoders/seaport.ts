import type { TypedData } from '@latchkey/vault/signers/typedData'
import { type Contracts, factsOf } from './contractFacts.ts'
import { type DecodedTypedData, expiryIn, hasDomain, hasExactTypes, type OrderItem, wholeIn } from './typedDataParts.ts'

/** The published addresses of Seaport, each with the version in its EIP-712 domain. */
const versions: Readonly<Record<string, string>> = {
  '0x00000000006c3852cbef3e08e8df289169ede581': '1.1',
  '0x00000000000006c7676171937c444f6bde3d6282': '1.2',
  '0x0000000000000ad24e80fd803c6ac37206a45f15': '1.3',
  '0x00000000000001ad428e4906ae43d8f9852d0dd6': '1.4',
  '0x00000000000000adc04c56bf30ac9d3c0aaf14dc': '1.5',
  '0x0000000000000068f116a894984e2db1123eb395': '1.6',
}

const parts = {
  OrderComponents:
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  OfferItem: 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount',
  ConsiderationItem:
    'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient',
}

const itemTypes = ['coin', 'erc20', 'erc721', 'erc1155', 'erc721Criteria', 'erc1155Criteria'] as const
const maxItems = 40

/** Decodes a Seaport order. Returns `undefined` if the data is not an order or an item does not have the declared type. */
export function readSeaportOrder(
  typed: TypedData,
  { account, chainId, contracts }: { account: string; chainId: number; contracts: Contracts },
): DecodedTypedData | undefined {
  const { domain, message } = typed
  if (!isSeaport(typed) || domain.chainId !== chainId) return undefined
  const orders = hasExactTypes(typed, 'OrderComponents', parts) ? [message] : bulkIn(typed)
  // A signature for several orders is not decoded, because each order could be filled separately.
  const [order, ...others] = orders ?? []
  if (!order || others.length > 0) return undefined
  if (String(order.offerer).toLowerCase() !== account.toLowerCase()) return undefined
  const offers = itemsIn(order.offer)
  const receives = itemsIn(order.consideration)
  if (!offers || !receives || offers.length + receives.length > maxItems) return undefined
  if (![...offers, ...receives].every((item) => isAsNamed(item, contracts))) return undefined
  return {
    kind: 'order',
    account,
    offers,
    receives: receives.map((item, at) => ({ ...item, recipient: String(listIn(order.consideration)[at]?.recipient) })),
    expires: expiryIn(order.endTime, 256),
  }
}

/** Returns the addresses of the tokens in an order. The meaning of the order depends on what kind of contract each token is. */
export function tokensOfOrder(typed: TypedData): readonly string[] {
  if (!isSeaport(typed)) return []
  const orders = hasExactTypes(typed, 'OrderComponents', parts) ? [typed.message] : (bulkIn(typed) ?? [])
  return orders
    .flatMap(({ offer, consideration }) => [...listIn(offer), ...listIn(consideration)])
    .map(({ token }) => token)
    .filter((token) => typeof token === 'string')
}

function isSeaport(typed: TypedData): boolean {
  const { domain } = typed
  const version = versions[domain.verifyingContract?.toLowerCase() ?? '']
  return (
    version !== undefined &&
    domain.name === 'Seaport' &&
    domain.version === version &&
    hasDomain(typed, 'name,version,chainId,verifyingContract')
  )
}

/** Returns the orders in a bulk signature, without padding. They form a binary tree (Seaport 1.2 and later). */
function bulkIn(typed: TypedData): readonly Readonly<Record<string, unknown>>[] | undefined {
  const [tree, ...others] = typed.types.BulkOrder ?? []
  if (typed.primaryType !== 'BulkOrder' || typed.domain.version === '1.1' || !tree || others.length > 0)
    return undefined
  if (tree.name !== 'tree' || !/^OrderComponents(\[2\]){1,24}$/.test(tree.type)) return undefined
  if (!hasExactTypes(typed, 'BulkOrder', { BulkOrder: `${tree.type} tree`, ...parts })) return undefined
  const leaves = [typed.message.tree].flat(24) as readonly Readonly<Record<string, unknown>>[]
  return leaves.filter(({ offerer, offer, consideration }) => {
    const isPadding = BigInt(String(offerer)) === 0n && listIn(offer).length + listIn(consideration).length === 0
    return !isPadding
  })
}

function itemsIn(value: unknown): readonly OrderItem[] | undefined {
  const items = listIn(value).map((item): OrderItem | undefined => {
    const itemType = itemTypes[Number(item.itemType)]
    const id = wholeIn(item.identifierOrCriteria)
    const hasId = itemType !== 'coin' && itemType !== 'erc20'
    // Native currency and ERC-20 tokens have no token ID. Seaport rejects an order that specifies one.
    if (!itemType || (!hasId && id !== 0n)) return undefined
    return {
      itemType,
      token: String(item.token),
      ...(hasId && { id }),
      startAmount: wholeIn(item.startAmount),
      endAmount: wholeIn(item.endAmount),
    }
  })
  return items.every((item) => item !== undefined) ? items : undefined
}

/**
 * Whether an item has the declared type. Seaport calls `transferFrom` for both ERC-20 and ERC-721, so a wrong type would turn an
 * amount into a token ID.
 */
function isAsNamed({ itemType, token }: OrderItem, contracts: Contracts): boolean {
  if (itemType === 'coin') return BigInt(token) === 0n
  return factsOf(contracts, token).kind === itemType.replace('Criteria', '')
}

function listIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : []
}
