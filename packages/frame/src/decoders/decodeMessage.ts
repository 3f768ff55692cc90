import { fromUtf8, toHex } from '@latchkey/protocol/bytes'
import { sanitizeText, type UntrustedText, untrusted } from './untrustedText.ts'

/** The fields of a sign-in message (EIP-4361, CAIP-122) that are shown to the user. */
export interface SignIn {
  /** The scheme before the domain, such as `https`, if the message includes one. */
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
export type DecodedMessage =
  | { readonly kind: 'text'; readonly text: UntrustedText; readonly hidden: boolean }
  /**
   * A message that is not text, so only its bytes can be shown. `hash` is `true` if the message has 32 bytes, because it could
   * then be a hash of anything.
   */
  | { readonly kind: 'bytes'; readonly hex: UntrustedText; readonly hash: boolean }
  | { readonly kind: 'signIn'; readonly text: UntrustedText; readonly signIn: SignIn }
  /** A message that must not be signed, such as a malformed sign-in message or one for a different site or account. */
  | {
      readonly kind: 'refused'
      readonly text: UntrustedText
      readonly because: RefusedSignIn
      readonly claimed: UntrustedText
    }

/** The reason why a message is refused. */
export type RefusedSignIn = 'other-site' | 'other-account' | 'malformed' | 'own-account'

/**
 * Decodes a message that a page wants the user to sign. `origin` is the page's origin as reported by the browser, `address` is
 * the signing account, and `ownsContract` specifies whether that account's key owns a smart account.
 */
export function decodeMessage(
  bytes: Uint8Array,
  {
    origin,
    address,
    ownsContract = false,
  }: { readonly origin: string; readonly address: string; readonly ownsContract?: boolean },
): DecodedMessage {
  const text = fromUtf8(bytes)
  // A Safe accepts a signed 32-byte message as its owner's approval of the transaction with that hash (`eth_sign`, v + 4), on
  // every network. Signing such a message would bypass the rule that a Safe's own typed data is never signed, so the message is
  // refused. Plain words are allowed, because finding a hash that reads like plain words takes about 2^60 attempts.
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

/** Whether `text` looks like a sign-in message to a reader. Lookalikes that cannot be parsed are refused as malformed. */
function looksLikeSignIn(text: string): boolean {
  const read = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/\s+/gu, ' ')
  return /wants you to sign in with your/i.test(read)
}

function refused(text: string, because: RefusedSignIn, claimed = ''): DecodedMessage {
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
  // A statement is a single line, because additional lines could look like fields.
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

/** Whether `text` contains no control characters other than line breaks and tabs. */
function isText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this regex detects control characters.
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/.test(text)
}
