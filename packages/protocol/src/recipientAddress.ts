import { fromBase58 } from './bytes.ts'
import { type ChainId, type Namespace, parseAccountId, toEvmAddress } from './caip.ts'

/**
 * Returns the address in entered, pasted or scanned text. Apart from plain addresses, CAIP-10 accounts, payment links without a call
 * (ERC-681) and Solana Pay links are accepted. Their amount is ignored. Returns `undefined` if there is no address, or if the text names
 * another chain than `chain`, on which the recipient might not have the address.
 */
export function addressIn(text: string, namespace: Namespace, chain?: ChainId): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 300) return undefined
  const account = parseAccountId(trimmed)
  if (account && (account.namespace !== namespace || account.chain !== (chain ?? account.chain))) return undefined
  const plain = account?.address ?? trimmed
  if (namespace === 'eip155') {
    // A link with a call, such as a token transfer, names the contract and not the recipient.
    const [, linked, id] = /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@(\d+))?(?:\?.*)?$/i.exec(plain) ?? []
    if (id !== undefined && chain !== undefined && `eip155:${BigInt(id)}` !== chain) return undefined
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

/** Whether it is the address that nobody has the key of: zero on eip155, and the System program on solana. */
export function isZeroAddress(address: string): boolean {
  return /^0x0{40}$/i.test(address) || address === '1'.repeat(32)
}

function comparable(address: string): string {
  return /^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address
}
