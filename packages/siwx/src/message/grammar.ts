/**
 * The grammar of sign-in messages: RFC 3986 for URIs, RFC 3339 for times and EIP-4361 for everything else. All fields are
 * single-line ASCII, so that a field cannot contain another field and no character can be mistaken for a different one.
 */
import type { Namespace } from '@latchkey/protocol/caip'

/** Any number of `pchar` characters (RFC 3986) and slashes. */
const path = /^(?:[-A-Za-z0-9._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/
/** A `query` or `fragment` (RFC 3986). */
const tail = /^(?:[-A-Za-z0-9._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/

/** Whether `text` is an authority (RFC 3986): a host with an optional port and user info. */
function isAuthority(text: string): boolean {
  const parts = /^(?:(?<user>[^@]*)@)?(?<host>\[[^\]]*\]|[^:@[\]]*)(?::\d*)?$/.exec(text)?.groups
  if (!parts) return false
  const { user = '', host = '' } = parts
  const named = /^(?:[-A-Za-z0-9._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/
  const isUser = /^(?:[-A-Za-z0-9._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*$/.test(user)
  return isUser && (host.startsWith('[') ? isInBrackets(host.slice(1, -1)) : named.test(host))
}

/** Whether `text` is an `IPv6address` or `IPvFuture` (RFC 3986). */
function isInBrackets(text: string): boolean {
  return isAddress6(text) || /^[Vv][0-9A-Fa-f]+\.[-A-Za-z0-9._~!$&'()*+,;=:]+$/.test(text)
}

/**
 * Whether `text` is an `IPv6address` (RFC 3986). It has eight groups, or fewer and one `::`, and can end with an IPv4 address.
 */
function isAddress6(text: string): boolean {
  const old = /(?<=:)(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
  const halves = text.replace(old, '0:0').split('::')
  const groups = halves.flatMap((half) => (half ? half.split(':') : []))
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false
  return halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8
}

/** Whether `text` is a URI (RFC 3986). A URI includes a scheme. */
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

/** Whether `text` is a scheme name (RFC 3986). */
export function isScheme(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*$/.test(text)
}

/** Whether `text` is a valid domain: an authority with a host. Non-ASCII names must be written in Punycode. */
export function isDomain(text: string): boolean {
  return isAuthority(text) && !/^(?:[^@]*@)?(?::\d*)?$/.test(text)
}

/** Whether `text` is a valid statement: URI characters without `%`, and spaces (EIP-4361). */
export function isStatement(text: string): boolean {
  return /^[-A-Za-z0-9._~:/?#[\]@!$&'()*+,;= ]+$/.test(text)
}

/** Whether `text` is a nonce: at least eight letters or digits (EIP-4361), and here at most 128. */
export function isNonce(text: string): boolean {
  return typeof text === 'string' && /^[A-Za-z0-9]{8,128}$/.test(text)
}

/** Whether `text` is a request ID: any number of `pchar` characters (EIP-4361). */
export function isRequestId(text: string): boolean {
  return path.test(text) && !text.includes('/')
}

/** Whether `text` is accepted as a network name in the first line. */
export function isNetworkName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9 .()&'+-]{0,38}[A-Za-z0-9.)+])?$/.test(text)
}

/** Whether `text` is a chain reference in this namespace (CAIP-2). */
export function isReference(namespace: Namespace, text: string): boolean {
  return (namespace === 'eip155' ? /^\d{1,32}$/ : /^[-_a-zA-Z0-9]{1,32}$/).test(text)
}

/** Whether `text` has the format of an address in this namespace (CAIP-10). Only a signature can prove whose address it is. */
export function isAddress(namespace: Namespace, text: string): boolean {
  switch (namespace) {
    // #region generated: families (npm run generate)
    case 'eip155':
      return /^0x[0-9a-fA-F]{40}$/.test(text)
    case 'solana':
      return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
    case 'polkadot':
      return /^[1-9A-HJ-NP-Za-km-z]{45,50}$/.test(text)
    case 'bip122':
      return /^[a-zA-Z0-9]{26,90}$/.test(text)
    case 'cosmos':
      return /^[a-z][a-z0-9]{0,82}1[ac-hj-np-z02-9]{38,58}$/.test(text)
    // #endregion
  }
}

/** Parses an RFC 3339 `date-time` to epoch milliseconds. Returns `undefined` if it is invalid. */
export function momentOf(text: string): number | undefined {
  const parts =
    /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<time>(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(?<fraction>\d{1,30}))?(?<zone>[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.exec(
      text,
    )?.groups
  if (!parts) return undefined
  const { date = '', time = '', fraction = '', zone = '' } = parts
  // Some engines parse 30 February as 2 March.
  const midnight = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return undefined
  const moment = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone.toUpperCase()}`)
  return Number.isNaN(moment) ? undefined : moment
}
