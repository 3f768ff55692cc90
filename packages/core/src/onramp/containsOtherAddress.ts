import { fromBase58, fromBase64Url, fromUtf8 } from '@latchkey/protocol/bytes'
import { type AccountId, addressOf } from '@latchkey/protocol/caip'

/** How often a URL is decoded, because a parameter can contain a URL or JSON that is encoded again. */
const maxLayers = 4

/**
 * Whether a URL contains an address of any chain family that is not the account's, or a name that resolves to an address.
 * Addresses in opaque tokens, which only the provider can read, are not detected.
 */
export function containsOtherAddress(url: string, account: AccountId): boolean {
  const own = comparable(addressOf(account))
  let texts = [url]
  for (let layer = 0; layer < maxLayers; layer++) {
    if (texts.some((text) => hasName(text) || addressesIn(text).some((address) => address !== own))) return true
    texts = texts.flatMap(decodings)
  }
  return false
}

/** Returns the decoded forms of a text and of its parts. */
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

/** Whether a text contains an ENS or Solana name. It counts as another address, because its own address is not checked. */
const hasName = (text: string): boolean => /[^\s/=:,&?#@."'()]\.(eth|sol)(?![\w.-])/i.test(text)

/** Returns the addresses in a text, in a normalized form. */
function addressesIn(text: string): readonly string[] {
  const base58 = text.match(/(?<![\w-])[1-9A-HJ-NP-Za-km-z]{26,50}(?![\w-])/g) ?? []
  const bech32 = text.match(/(?<![a-z0-9])[a-z0-9]{1,83}1[ac-hj-np-z02-9]{6,90}(?![a-z0-9])/gi) ?? []
  // EVM addresses occur with and without 0x, and as 32 bytes with zeros before them.
  const evm = [...text.matchAll(/(?<![0-9a-f])(?:0x)?(?:0{24})?([0-9a-f]{40})(?![0-9a-f])/gi)]
  return [
    ...base58.filter(isBase58Address),
    ...bech32.filter(hasBech32Checksum).map(comparable),
    ...evm.map(([, digits = '']) => comparable(`0x${digits}`)),
  ]
}

/** Returns an address in lower case, unless its format distinguishes between upper and lower case. */
function comparable(address: string): string {
  return /^0x/i.test(address) || hasBech32Checksum(address) ? address.toLowerCase() : address
}

/** The version bytes of 25-byte addresses, on Bitcoin, its test networks and Tron. */
const versions: readonly (number | undefined)[] = [0x00, 0x05, 0x6f, 0xc4, 0x41]

/**
 * Whether base58 text has the form of an address: a Solana key, a Bitcoin address, or a Polkadot address (SS58), which has a
 * checksum of two bytes and one or two bytes before the key. The checksums are not verified, because the bundle does not
 * include their hash functions.
 */
function isBase58Address(text: string): boolean {
  const bytes = fromBase58(text)
  const [first = 0] = bytes ?? []
  switch (bytes?.length) {
    case 25:
      return versions.includes(first)
    case 32:
      return true
    case 35:
      return first < 64
    case 36:
      return first >= 64 && first < 128
    default:
      return false
  }
}

const bech32Digits = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** Whether a text has the checksum of Bech32 or Bech32m (BIP-173, BIP-350), which addresses of Bitcoin and Cosmos have. */
function hasBech32Checksum(text: string): boolean {
  const lower = text.toLowerCase()
  const end = lower.lastIndexOf('1')
  const prefix = [...lower.slice(0, Math.max(end, 0))].map((letter) => letter.charCodeAt(0))
  const digits = [...lower.slice(end + 1)].map((digit) => bech32Digits.indexOf(digit))
  if (prefix.length === 0 || digits.length < 6 || digits.includes(-1)) return false
  let sum = 1
  for (const value of [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...digits]) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) sum ^= generator
  }
  return sum === 1 || sum === 0x2bc830a3
}
