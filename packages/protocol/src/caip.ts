/** The supported CAIP-2 namespaces, one for each chain family in `chainFamilies.ts`. */
export const namespaces = [
  // #region generated: families (npm run generate)
  'eip155',
  'solana',
  'polkadot',
  'bip122',
  'cosmos',
  // #endregion
] as const

/** A supported CAIP-2 namespace. */
export type Namespace = (typeof namespaces)[number]

/** A CAIP-2 chain ID, such as `eip155:1`. */
export type ChainId<N extends Namespace = Namespace> = `${N}:${string}`

/** A CAIP-10 account ID, such as `eip155:1:0xab…`. */
export type AccountId<N extends Namespace = Namespace> = `${N}:${string}:${string}`

/** Whether `value` is a supported namespace. */
export function isNamespace(value: unknown): value is Namespace {
  return (namespaces as readonly unknown[]).includes(value)
}

/**
 * Parses a CAIP-2 chain ID. Returns `undefined` if it is malformed or its namespace is not supported.
 *
 * @example
 * parseChainId('eip155:1') // { namespace: 'eip155', reference: '1' }
 * parseChainId('mainnet') // undefined
 */
export function parseChainId(id: string): { namespace: Namespace; reference: string } | undefined {
  const [namespace, reference, ...rest] = id.split(':')
  if (!isNamespace(namespace) || !reference || rest.length > 0) return undefined
  return { namespace, reference }
}

/**
 * Parses a CAIP-10 account ID. Returns `undefined` if it is malformed or its namespace is not supported.
 *
 * @example
 * parseAccountId('eip155:1:0xab16…')
 * // { namespace: 'eip155', chain: 'eip155:1', reference: '1', address: '0xab16…' }
 */
export function parseAccountId(
  id: string,
): { namespace: Namespace; chain: ChainId; reference: string; address: string } | undefined {
  const [namespace, reference, address, ...rest] = id.split(':')
  if (!isNamespace(namespace) || !reference || !address || rest.length > 0) return undefined
  return { namespace, chain: `${namespace}:${reference}`, reference, address }
}

/**
 * Returns the CAIP-10 account ID of `address` on `chain`.
 *
 * @example
 * accountId('eip155:1', '0xab16…') // 'eip155:1:0xab16…'
 */
export function accountId<N extends Namespace>(chain: ChainId<N>, address: string): AccountId<N> {
  return `${chain}:${address}` as AccountId<N>
}

/** Returns the namespace of a chain or account ID. */
export function namespaceOf<N extends Namespace>(id: ChainId<N> | AccountId<N>): N {
  return id.slice(0, id.indexOf(':')) as N
}

/** Returns the address in a CAIP-10 account ID. */
export function addressOf(id: AccountId): string {
  return id.slice(id.lastIndexOf(':') + 1)
}

/** Returns the chain ID in a CAIP-10 account ID. */
export function chainOf<N extends Namespace>(id: AccountId<N>): ChainId<N> {
  return id.slice(0, id.lastIndexOf(':')) as ChainId<N>
}

/** Whether `text` is an EVM address, which consists of 40 hex characters with an optional `0x` prefix. */
export function isEvmAddress(text: string): boolean {
  return /^(0x)?[0-9a-f]{40}$/i.test(text)
}

/** Returns the EVM address `text` with a `0x` prefix, or `undefined` if it is not an EVM address. */
export function toEvmAddress(text: string): `0x${string}` | undefined {
  return isEvmAddress(text) ? `0x${text.slice(-40)}` : undefined
}

/** Whether `text` is a Solana address, which consists of 32 to 44 base58 characters. */
export function isSolanaAddress(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
}

/**
 * Parses a CAIP-19 asset ID, such as `eip155:1/erc20:0xab…`. Returns `undefined` if it is malformed or its namespace is not
 * supported.
 *
 * @example
 * parseAssetId('eip155:1/erc20:0xa0b8…') // { chain: 'eip155:1', standard: 'erc20', reference: '0xa0b8…' }
 */
export function parseAssetId(id: string): { chain: ChainId; standard: string; reference: string } | undefined {
  const [chain, asset, ...rest] = id.split('/')
  const [standard, reference, ...more] = (asset ?? '').split(':')
  const parts = parseChainId(chain ?? '')
  if (!parts || !standard || !reference || rest.length > 0 || more.length > 0) return undefined
  return { chain: `${parts.namespace}:${parts.reference}`, standard, reference }
}
