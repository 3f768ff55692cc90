import { fromHex, toHex } from '@latchkey/protocol/bytes'

/** The contents of a pairing URI (WalletConnect 2.0). The URI is secret, because anyone who has it can join the pairing. */
export interface PairingUri {
  /** The pairing topic: 64 hex characters. */
  readonly topic: string
  /** The symmetric key: 32 bytes. */
  readonly symKey: Uint8Array
  /** When the URI expires, in Unix seconds. */
  readonly expiry?: number | undefined
  /** The methods that the proposer will request, such as `wc_sessionAuthenticate`. */
  readonly methods: readonly string[]
}

/** Formats a pairing URI: `wc:{topic}@2?relay-protocol=irn&symKey={hex}&expiryTimestamp={s}[&methods={a,b}]`. */
export function formatPairingUri({ topic, symKey, expiry, methods }: PairingUri): string {
  const query = new URLSearchParams({ 'relay-protocol': 'irn', symKey: toHex(symKey).slice(2) })
  if (expiry !== undefined) query.set('expiryTimestamp', String(expiry))
  // Do not encode the commas, because wallets split the list before they decode it.
  return `wc:${topic}@2?${query}${methods.length > 0 ? `&methods=${methods.join(',')}` : ''}`
}

/**
 * Parses the text from a QR code or link. Returns `undefined` unless the text is a WalletConnect 2.0 pairing URI.
 *
 * @example
 * if (parsePairingUri(scanned)) await responder.pair(scanned)
 */
export function parsePairingUri(text: string): PairingUri | undefined {
  const match = /^wc:(?:\/\/)?([0-9a-f]{64})@2\?(.{1,2000})$/is.exec(text.trim())
  if (!match) return undefined
  const [, topic = '', query = ''] = match
  const params = new URLSearchParams(query)
  const symKey = /^[0-9a-f]{64}$/i.test(params.get('symKey') ?? '') ? fromHex(params.get('symKey') ?? '') : undefined
  if (!symKey || (params.get('relay-protocol') ?? 'irn') !== 'irn') return undefined
  const expiry = /^\d{1,12}$/.test(params.get('expiryTimestamp') ?? '')
    ? Number(params.get('expiryTimestamp'))
    : undefined
  const methods = (params.get('methods') ?? '')
    .split(',')
    .map((method) => method.replace(/[[\]\s]/g, ''))
    .filter(Boolean)
  return { topic: topic.toLowerCase(), symKey, expiry, methods }
}
