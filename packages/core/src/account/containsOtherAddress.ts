import { fromBase58 } from '@latchkey/protocol/bytes'
import { type AccountId, addressOf, namespaceOf } from '@latchkey/protocol/caip'

/** How often a URL is decoded, because a parameter can contain a URL or JSON that is encoded again. */
const maxLayers = 4

/**
 * Whether a URL contains an address of the account's chain family that is not the account's. Tokens that only the provider can read
 * are not recognized.
 */
export function containsOtherAddress(url: string, account: AccountId): boolean {
  const own = addressOf(account)
  const isOther = namespaceOf(account) === 'solana' ? otherSolanaAddress(own) : otherEvmAddress(own)
  for (let text = url, layer = 0; layer < maxLayers; layer++) {
    if (isOther(text)) return true
    const decoded = text.replace(/(%[0-9a-f]{2})+/gi, decodeText)
    if (decoded === text) return false
    text = decoded
  }
  return false
}

/** Decodes percent-encoded text. Returns it unchanged if it is not UTF-8. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const otherEvmAddress = (own: string) => (text: string) =>
  [...text.matchAll(/0x[0-9a-f]{40}(?![0-9a-f])/gi)].some(([found]) => found.toLowerCase() !== own.toLowerCase())

const otherSolanaAddress = (own: string) => (text: string) =>
  [...text.matchAll(/(?<![\w-])[1-9A-HJ-NP-Za-km-z]{32,44}(?![\w-])/g)].some(
    ([found]) => found !== own && fromBase58(found)?.length === 32,
  )
