import { fromBase58, fromBase64Url, fromUtf8 } from '@latchkey/protocol/bytes'
import { type AccountId, addressOf, namespaceOf } from '@latchkey/protocol/caip'

/** How often a URL is decoded, because a parameter can contain a URL or JSON that is encoded again. */
const maxLayers = 4

/**
 * Whether a URL contains an address of the account's chain family that is not the account's, or a name that resolves to an address.
 * Tokens that only the provider can read are not recognized.
 */
export function containsOtherAddress(url: string, account: AccountId): boolean {
  const own = addressOf(account)
  const isOther = namespaceOf(account) === 'solana' ? otherSolanaAddress(own) : otherEvmAddress(own)
  let texts = [url]
  for (let layer = 0; layer < maxLayers; layer++) {
    if (texts.some((text) => isOther(text) || hasName(text))) return true
    texts = texts.flatMap(decodings)
  }
  return false
}

/** Returns what a text contains in encoded form. */
function decodings(text: string): string[] {
  const plain = text
    .replace(/(%[0-9a-f]{2})+/gi, decodeText)
    .replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  // A slash is a digit of base64, but also separates the parts of a path.
  const encoded = [/[\w-]{24,}/g, /[\w+/]{24,}/g].flatMap((pattern) => text.match(pattern) ?? [])
  return [...(plain === text ? [] : [plain]), ...encoded.flatMap((part) => textInBase64(part) ?? [])]
}

/** Decodes percent-encoded text. Returns it unchanged if it is not UTF-8. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the text in base64 or base64url, or `undefined` if it does not contain printable text. */
function textInBase64(encoded: string): string | undefined {
  const bytes = fromBase64Url(encoded.replaceAll('+', '-').replaceAll('/', '_'))
  const text = bytes && fromUtf8(bytes)
  return text && /^[ -~\s]+$/.test(text) ? text : undefined
}

/** Whether a text contains a name of ENS or of Solana's name service, whose address has not been checked. */
const hasName = (text: string): boolean => /[^\s/=:,&?#@."'()]\.(eth|sol)(?![\w.-])/i.test(text)

/** Addresses occur with and without 0x, and as 32 bytes with zeros before them. */
const otherEvmAddress = (own: string) => (text: string) =>
  [...text.matchAll(/(?<![0-9a-f])(?:0x)?(?:0{24})?([0-9a-f]{40})(?![0-9a-f])/gi)].some(
    ([, digits = '']) => digits.toLowerCase() !== own.slice(2).toLowerCase(),
  )

const otherSolanaAddress = (own: string) => (text: string) =>
  [...text.matchAll(/(?<![\w-])[1-9A-HJ-NP-Za-km-z]{32,44}(?![\w-])/g)].some(
    ([found]) => found !== own && fromBase58(found)?.length === 32,
  )
