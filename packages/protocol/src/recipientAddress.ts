import { fromBase58 } from './bytes.ts'
import { type Namespace, parseAccountId, toEvmAddress } from './caip.ts'

/**
 * Returns the address in entered, pasted or scanned text. Apart from plain addresses, CAIP-10 accounts, payment links without a call
 * (ERC-681) and Solana Pay links are accepted. Their amount and chain are ignored. Returns `undefined` if there is no address.
 */
export function addressIn(text: string, namespace: Namespace): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 300) return undefined
  const account = parseAccountId(trimmed)
  if (account && account.namespace !== namespace) return undefined
  const plain = account?.address ?? trimmed
  if (namespace === 'eip155') {
    // A link with a call, such as a token transfer, names the contract and not the recipient.
    const [, linked] = /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@\d+)?(?:\?.*)?$/i.exec(plain) ?? []
    return toEvmAddress(linked ?? plain)
  }
  if (namespace !== 'solana') return undefined
  const [, linked = plain] = /^solana:([1-9A-HJ-NP-Za-km-z]{32,44})(?:\?.*)?$/.exec(plain) ?? []
  return linked.length <= 44 && fromBase58(linked)?.length === 32 ? linked : undefined
}

/** Whether an EVM address is spelled with a checksum, that is, with both upper and lower case letters (EIP-55). */
export function hasChecksum(address: string): boolean {
  const digits = address.slice(2)
  return /[a-f]/.test(digits) && /[A-F]/.test(digits)
}

/** Whether two addresses are the same. Only EVM addresses ignore case. */
export function isSameAddress(a: string, b: string): boolean {
  return comparable(a) === comparable(b)
}

/** Whether two different addresses start and end with the same four characters, not counting `0x`. */
export function looksAlike(a: string, b: string): boolean {
  const [first, second] = [comparable(a), comparable(b)]
  const start = first.startsWith('0x') ? 6 : 4
  return first !== second && first.slice(0, start) === second.slice(0, start) && first.slice(-4) === second.slice(-4)
}

/** Whether it is the address that nobody has the key of: zero on eip155, and the System program on solana. */
export function isZeroAddress(address: string): boolean {
  return /^0x0{40}$/i.test(address) || address === '1'.repeat(32)
}

function comparable(address: string): string {
  return /^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address
}
