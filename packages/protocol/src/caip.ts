/** The chain families of the specification (section 3), by their CAIP-2 namespace. */
export const namespaces = ['eip155', 'solana', 'polkadot', 'bip122', 'cosmos'] as const

/** A CAIP-2 namespace that Latchkey knows. */
export type Namespace = (typeof namespaces)[number]

/** A CAIP-2 chain id, `eip155:1`. */
export type ChainId<N extends Namespace = Namespace> = `${N}:${string}`

/** A CAIP-10 account id, `eip155:1:0xab…`. */
export type AccountId<N extends Namespace = Namespace> = `${N}:${string}:${string}`

/** Whether `value` is one of the known namespaces. */
export function isNamespace(value: unknown): value is Namespace {
  return (namespaces as readonly unknown[]).includes(value)
}

/** The parts of a CAIP-2 id, or `undefined` when it is not one (two parts around one colon, known namespace). */
export function parseChainId(id: string): { namespace: Namespace; reference: string } | undefined {
  const [namespace, reference, ...rest] = id.split(':')
  if (!isNamespace(namespace) || !reference || rest.length > 0) return undefined
  return { namespace, reference }
}

/** The parts of a CAIP-10 id, or `undefined` when it is not one (three non-empty parts, known namespace). */
export function parseAccountId(
  id: string,
): { namespace: Namespace; chain: ChainId; reference: string; address: string } | undefined {
  const [namespace, reference, address, ...rest] = id.split(':')
  if (!isNamespace(namespace) || !reference || !address || rest.length > 0) return undefined
  return { namespace, chain: `${namespace}:${reference}`, reference, address }
}

/** The account `address` on `chain`, as CAIP-10. */
export function accountId<N extends Namespace>(chain: ChainId<N>, address: string): AccountId<N> {
  return `${chain}:${address}` as AccountId<N>
}

/** The namespace of a chain or account id. */
export function namespaceOf<N extends Namespace>(id: ChainId<N> | AccountId<N>): N {
  return id.slice(0, id.indexOf(':')) as N
}

/** The address of a CAIP-10 id. */
export function addressOf(id: AccountId): string {
  return id.slice(id.lastIndexOf(':') + 1)
}

/** The chain of a CAIP-10 id. */
export function chainOf<N extends Namespace>(id: AccountId<N>): ChainId<N> {
  return id.slice(0, id.lastIndexOf(':')) as ChainId<N>
}

/** Whether `text` is an EVM address: optional 0x, 40 hex characters. */
export function isEvmAddress(text: string): boolean {
  return /^(0x)?[0-9a-f]{40}$/i.test(text)
}

/** Whether `text` is a Solana address: 32 to 44 base58 characters. */
export function isSolanaAddress(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
}

/** The parts of a CAIP-19 asset id (`eip155:1/erc20:0xab…`), or `undefined` when it is not one. */
export function parseAssetId(id: string): { chain: ChainId; standard: string; reference: string } | undefined {
  const [chain, asset, ...rest] = id.split('/')
  const [standard, reference, ...more] = (asset ?? '').split(':')
  const parts = parseChainId(chain ?? '')
  if (!parts || !standard || !reference || rest.length > 0 || more.length > 0) return undefined
  return { chain: `${parts.namespace}:${parts.reference}`, standard, reference }
}
