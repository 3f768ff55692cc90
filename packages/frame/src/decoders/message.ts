import { fromUtf8, toHex } from '@latchkey/protocol/bytes'
import { sanitizeText, type UntrustedText, untrusted } from './untrustedText.ts'

/** The parts of a sign-in message (EIP-4361, CAIP-122) that are shown to the user. */
export interface SignIn {
  /** The scheme, if the message contains it before the domain: `https`. */
  readonly scheme: string | undefined
  readonly domain: string
  readonly family: string
  readonly address: string
  readonly statement: UntrustedText | undefined
  readonly uri: string
  readonly chainId: string
  readonly nonce: string
  readonly expiresAt: string | undefined
  readonly resources: readonly UntrustedText[]
}

/** A decoded message. */
export type MessageReading =
  | { readonly kind: 'text'; readonly text: UntrustedText; readonly hidden: boolean }
  /** Not text, so only its bytes can be shown. `hash` means that it has 32 bytes and could be the hash of anything. */
  | { readonly kind: 'bytes'; readonly hex: UntrustedText; readonly hash: boolean }
  | { readonly kind: 'signIn'; readonly text: UntrustedText; readonly signIn: SignIn }
  /** A sign-in that must not be signed, because it is malformed or for a different site or account. */
  | {
      readonly kind: 'refused'
      readonly text: UntrustedText
      readonly because: RefusedSignIn
      readonly claimed: UntrustedText
    }

/** Why a sign-in message is refused. */
export type RefusedSignIn = 'other-site' | 'other-account' | 'malformed' | 'own-account'

/**
 * Decodes a message that a page wants signed. `origin` is the page's origin as reported by the browser, `address` the signing account.
 * `ownsContract`: whether the key owns a smart account.
 */
export function readMessage(
  bytes: Uint8Array,
  {
    origin,
    address,
    ownsContract = false,
  }: { readonly origin: string; readonly address: string; readonly ownsContract?: boolean },
): MessageReading {
  const text = fromUtf8(bytes)
  // A Safe accepts a signed 32-byte message as its owner's approval of the transaction with that hash (`eth_sign`, v + 4), on every
  // network. Refuse it: a hash is unreadable, and signing it would bypass the refusal of a Safe's own typed data. Allowing 32 bytes of
  // plain words is safe: finding a hash that reads like that takes about 2^60 attempts.
  if (ownsContract && bytes.length === 32 && !(text !== undefined && plainWords.test(text)))
    return refused(toHex(bytes), 'own-account')
  if (text === undefined || !isText(text))
    return { kind: 'bytes', hex: untrusted(toHex(bytes)), hash: bytes.length === 32 }
  if (!looksLikeSignIn(text)) return { kind: 'text', text: untrusted(text), hidden: hasHiddenSigns(text) }
  const signIn = parseSignIn(text)
  if (!signIn) return refused(text, 'malformed')
  const { host: site, protocol } = new URL(origin)
  const { scheme = protocol.slice(0, -1), domain } = signIn
  if (domain !== site || `${scheme}:` !== protocol || !isOf(signIn.uri, origin)) {
    const elsewhere = domain !== site ? domain : `${scheme}://${domain}`
    const claimed = elsewhere === origin ? signIn.uri : elsewhere
    return refused(text, 'other-site', claimed)
  }
  const same =
    signIn.family.toLowerCase() === 'ethereum'
      ? signIn.address.toLowerCase() === address.toLowerCase()
      : signIn.address === address
  if (!same) return refused(text, 'other-account', signIn.address)
  return { kind: 'signIn', text: untrusted(text), signIn }
}

/** Whether `text` looks like a sign-in to a reader, ignoring invisible characters and whitespace. Lookalikes are refused as malformed. */
function looksLikeSignIn(text: string): boolean {
  const read = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/\s+/gu, ' ')
  return /wants you to sign in with your/i.test(read)
}

function refused(text: string, because: RefusedSignIn, claimed = ''): MessageReading {
  return { kind: 'refused', text: untrusted(text), because, claimed: untrusted(claimed) }
}

function hasHiddenSigns(text: string): boolean {
  return sanitizeText(untrusted(text), { lines: true }).hasHiddenSigns
}

const plainWords = /^[A-Za-z0-9 .,:!?'-]*$/
const head = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\S+) wants you to sign in with your (\S+) account:\n(\S+)\n/
const fields =
  /\n\nURI: (\S+)\nVersion: 1\nChain ID: (\S+)\nNonce: ([A-Za-z0-9]{8,})\nIssued At: (\S+)(?:\nExpiration Time: (\S+))?(?:\nNot Before: \S+)?(?:\nRequest ID: [^\n]*)?(?:\nResources:((?:\n- [^\n]+)*))?$/

function parseSignIn(text: string): SignIn | undefined {
  const [opening = '', scheme, domain, family, address] = head.exec(text) ?? []
  const end = fields.exec(text)
  if (!domain || !family || !address || !end || hasHiddenSigns(text)) return undefined
  const [, uri = '', chainId = '', nonce = '', , expiresAt, resources = ''] = end
  const between = text.slice(opening.length, end.index)
  // A statement is a single line: further lines could look like fields.
  if (!/^(\n[^\n]+)?$/.test(between)) return undefined
  return {
    scheme,
    domain,
    family,
    address,
    statement: between.length > 1 ? untrusted(between.slice(1)) : undefined,
    uri,
    chainId,
    nonce,
    expiresAt,
    resources: resources.split('\n- ').slice(1).map(untrusted),
  }
}

function isOf(uri: string, origin: string): boolean {
  return URL.canParse(uri) && new URL(uri).origin === origin
}

/** Whether `text` has no control characters besides line breaks and tabs. */
function isText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this regex detects control characters.
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/.test(text)
}
