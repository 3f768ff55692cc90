// The rules for account names, such as `alice.shop.example`. The last two labels are the operator's zone.

/** The shortest label that a server registers, in characters. */
export const minLabelLength = 3

/** The longest label, in characters. */
export const maxLabelLength = 64

/** The shortest label that a page lets users choose, in characters. */
export const minChosenLabelLength = 4

/** Why a label cannot be registered. */
export type LabelProblem = 'too-short' | 'too-long' | 'characters' | 'hyphens'

/**
 * Returns why a label cannot be registered, or `undefined` if it can. A hyphen must be between letters or digits. The third and
 * fourth character must not both be hyphens, because software displays labels such as `xn--80ak6aa92e` as text in other scripts,
 * which can look like another name.
 */
export function labelProblem(label: string, minLength: number = minChosenLabelLength): LabelProblem | undefined {
  if (!/^[a-z0-9-]*$/.test(label)) return 'characters'
  if (label.length < minLength) return 'too-short'
  if (label.length > maxLabelLength) return 'too-long'
  if (label.startsWith('-') || label.endsWith('-') || label.startsWith('--', 2)) return 'hyphens'
  return undefined
}

/** Whether names can be registered under `text`, which must have two labels, such as `shop.example`. */
export function isNameZone(text: string): boolean {
  return text.length <= 127 && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
}

/** The coin type for all EVM chains (ENSIP-19). A key has the same address on each of them. */
export const everyEvmChain = 0x80000000

/**
 * Returns the coin type of an EVM chain (ENSIP-11). Clients of the name service send 2147483649 for chain 1 instead of 60.
 *
 * @throws {RangeError} if the chain ID is 2^31 or greater.
 */
export function coinTypeOf(chainId: number): number {
  if (!Number.isInteger(chainId) || chainId < 1 || chainId >= 0x80000000) throw new RangeError('Invalid chainId')
  return (0x80000000 | chainId) >>> 0
}

/** Returns the chain ID of an EVM coin type, or `undefined` if the coin type is not for a specific EVM chain. */
export function chainIdOfCoinType(coinType: number): number | undefined {
  if (coinType === 60) return 1
  return Number.isInteger(coinType) && coinType > 0x80000000 && coinType <= 0xffffffff
    ? coinType - 0x80000000
    : undefined
}

/** Returns the text that is signed to register a name: compact JSON with the fields in this order. */
export function registrationMessage({
  name,
  attributes = {},
  timestamp,
}: {
  /** The full name, such as `alice.shop.example`. */
  readonly name: string
  readonly attributes?: Readonly<Record<string, string>>
  /** Unix seconds. */
  readonly timestamp: number
}): string {
  return JSON.stringify({ name, attributes, timestamp })
}

/**
 * Whether pages resolve the names in a zone only through ENS, and not through the server that reports the zone. Otherwise, a
 * server could report a zone that belongs to others, such as `base.eth`, and resolve its names to any address.
 */
export function isEnsZone(zone: string): boolean {
  return zone.endsWith('.eth')
}
