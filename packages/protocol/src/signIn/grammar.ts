/**
 * The words that the standards allow in a sign-in message: RFC 3986 for what is a place, RFC 3339 for times, EIP-4361 for the rest.
 * All of it is ASCII in one line, so that no field can begin another and no letter can look like another.
 */
import type { Namespace } from '../caip.ts'
import { isSolanaAddress } from '../caip.ts'

/** `pchar` of RFC 3986, and the slash between two of them. */
const path = /^(?:[-A-Za-z0-9._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/
/** `query` and `fragment` of RFC 3986. */
const tail = /^(?:[-A-Za-z0-9._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/

/** Whether `text` is an authority of RFC 3986: host and port, and somebody before an `@`. */
function isAuthority(text: string): boolean {
  const parts = /^(?:(?<user>[^@]*)@)?(?<host>\[[^\]]*\]|[^:@[\]]*)(?::\d*)?$/.exec(text)?.groups
  if (!parts) return false
  const { user = '', host = '' } = parts
  const named = /^(?:[-A-Za-z0-9._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/
  const isUser = /^(?:[-A-Za-z0-9._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*$/.test(user)
  return isUser && (host.startsWith('[') ? isInBrackets(host.slice(1, -1)) : named.test(host))
}

/** `IPv6address` or `IPvFuture`. */
function isInBrackets(text: string): boolean {
  return isAddress6(text) || /^[Vv][0-9A-Fa-f]+\.[-A-Za-z0-9._~!$&'()*+,;=:]+$/.test(text)
}

/** `IPv6address` of RFC 3986: eight groups, or fewer around one `::`; the last two may be written as IPv4. */
function isAddress6(text: string): boolean {
  const old = /(?<=:)(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
  const halves = text.replace(old, '0:0').split('::')
  const groups = halves.flatMap((half) => (half ? half.split(':') : []))
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false
  return halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8
}

/** Whether `text` is a URI of RFC 3986: one with a scheme. */
export function isUri(text: string): boolean {
  const parts =
    /^(?<scheme>[^:/?#]*):(?:\/\/(?<authority>[^/?#]*))?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>[^\n]*))?$/.exec(
      text,
    )?.groups
  if (!parts || !isScheme(parts.scheme ?? '')) return false
  return (
    isAuthority(parts.authority ?? '') &&
    path.test(parts.path ?? '') &&
    tail.test(parts.query ?? '') &&
    tail.test(parts.fragment ?? '')
  )
}

/** Whether `text` is the name of a scheme (RFC 3986). */
export function isScheme(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*$/.test(text)
}

/** Whether `text` can be who asks: an authority with a host. Names outside ASCII are written in punycode. */
export function isDomain(text: string): boolean {
  return isAuthority(text) && !/^(?:[^@]*@)?(?::\d*)?$/.test(text)
}

/** Whether `text` may stand as the statement: what URIs are made of, without `%`, and spaces (EIP-4361). */
export function isStatement(text: string): boolean {
  return /^[-A-Za-z0-9._~:/?#[\]@!$&'()*+,;= ]+$/.test(text)
}

/** Whether `text` is a nonce: eight letters or digits, or more (EIP-4361). */
export function isNonce(text: string): boolean {
  return typeof text === 'string' && /^[A-Za-z0-9]{8,128}$/.test(text)
}

/** Whether `text` names a request: `pchar` of RFC 3986, also none (EIP-4361). */
export function isRequestId(text: string): boolean {
  return path.test(text) && !text.includes('/')
}

/** Whether `text` may be read as the name of a network in the first line. */
export function isNetworkName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9 .()&'+-]{0,38}[A-Za-z0-9.)+])?$/.test(text)
}

/** Whether `text` is the reference of a chain in that family (CAIP-2). */
export function isReference(namespace: Namespace, text: string): boolean {
  return (namespace === 'eip155' ? /^\d{1,32}$/ : /^[-_a-zA-Z0-9]{1,32}$/).test(text)
}

/** Whether `text` is written like an address of that family (CAIP-10). Whose it is, the signature says. */
export function isAddress(namespace: Namespace, text: string): boolean {
  switch (namespace) {
    case 'eip155':
      return /^0x[0-9a-fA-F]{40}$/.test(text)
    case 'solana':
      return isSolanaAddress(text)
    case 'polkadot':
      return /^[1-9A-HJ-NP-Za-km-z]{45,50}$/.test(text)
    case 'bip122':
      return /^[a-zA-Z0-9]{26,90}$/.test(text)
    case 'cosmos':
      return /^[a-z][a-z0-9]{0,82}1[ac-hj-np-z02-9]{38,58}$/.test(text)
  }
}

/** The moment that an RFC 3339 `date-time` names, in epoch milliseconds, or `undefined` when it is none. */
export function momentOf(text: string): number | undefined {
  const parts =
    /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<time>(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(?<fraction>\d{1,30}))?(?<zone>[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(
      text,
    )?.groups
  if (!parts) return undefined
  const { date = '', time = '', fraction = '', zone = '' } = parts
  // Some engines read 30 February as 2 March.
  const midnight = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return undefined
  const moment = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone.toUpperCase()}`)
  return Number.isNaN(moment) ? undefined : moment
}
