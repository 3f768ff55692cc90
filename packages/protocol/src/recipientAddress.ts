import { fromBase58 } from './bytes.ts'
import { type ChainId, type Namespace, parseAccountId, toEvmAddress } from './caip.ts'

/**
 * Returns the address in entered, pasted or scanned text. Accepts plain addresses, CAIP-10 accounts, payment links without a
 * call (ERC-681) and Solana Pay links. Amounts in links are ignored. Returns `undefined` if there is no address, or if the text
 * specifies a chain other than `chain`, because the recipient might not control the address on `chain`.
 */
export function addressIn(text: string, namespace: Namespace, chain?: ChainId): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 300) return undefined
  const account = parseAccountId(trimmed)
  if (account && (account.namespace !== namespace || account.chain !== (chain ?? account.chain))) return undefined
  const plain = account?.address ?? trimmed
  if (namespace === 'eip155') {
    // A link with a call, such as a token transfer, contains the address of the contract instead of the recipient.
    const [, linked, id] = /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@(\d+))?(?:\?.*)?$/i.exec(plain) ?? []
    if (id !== undefined && chain !== undefined && `eip155:${BigInt(id)}` !== chain) return undefined
    return toEvmAddress(linked ?? plain)
  }
  if (namespace !== 'solana') return undefined
  const [, linked = plain] = /^solana:([1-9A-HJ-NP-Za-km-z]{32,44})(?:\?.*)?$/.exec(plain) ?? []
  return linked.length <= 44 && fromBase58(linked)?.length === 32 ? linked : undefined
}

/**
 * Whether an EVM address has a checksum, that is, contains both uppercase and lowercase letters (EIP-55). The checksum is not
 * verified.
 */
export function hasChecksum(address: string): boolean {
  const digits = address.slice(2)
  return /[a-f]/.test(digits) && /[A-F]/.test(digits)
}

/** Whether two addresses are the same. Only EVM addresses are compared case-insensitively. */
export function isSameAddress(a: string, b: string): boolean {
  return comparable(a) === comparable(b)
}

/** Whether an address is one for which no key is known: the zero address on eip155, or the System program on solana. */
export function isZeroAddress(address: string): boolean {
  return /^0x0{40}$/i.test(address) || address === '1'.repeat(32)
}

function comparable(address: string): string {
  return /^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address
}
