import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Log } from './serverDependencies.ts'

/** A group of addresses that are counted together. */
export interface AddressGroup {
  /** In CIDR notation: `203.0.113.7/32`, `2001:db8:1:200::/56`. */
  readonly name: string
  /** The group's limit, as a multiple of the limit of a single client. */
  readonly share: number
}

// A home or a rented server typically has a /64, and many have a /56 or a /48. An attacker who owns such a block must not get a
// separate allowance per /64. An IPv4 /24 can belong to many unrelated customers, so its share is large.
const prefixes = {
  ipv4: [
    { length: 32, share: 1 },
    { length: 24, share: 32 },
  ],
  ipv6: [
    { length: 64, share: 1 },
    { length: 56, share: 4 },
    { length: 48, share: 8 },
  ],
} as const

/**
 * Returns the groups that an address is counted under, narrowest first: /32 and /24 for IPv4, /64, /56 and /48 for IPv6. Every
 * notation of an address gives the same groups. Returns an empty array if the address is unknown.
 *
 * @example
 * for (const { name, share } of addressGroups(address)) await rates.take(name, perMinute * share)
 */
export function addressGroups(address: string | undefined): readonly AddressGroup[] {
  const parsed = parseAddress(address)
  if (!parsed) return []
  const kind = parsed.kind()
  return prefixes[kind].map(({ length, share }) => ({ name: `${networkOf(parsed, length)}/${length}`, share }))
}

/** Returns the same groups, widest first, each named by a digest. For in-memory counters, so that a memory dump contains no addresses. */
export function digestedGroups(address: string | undefined): readonly AddressGroup[] {
  return addressGroups(address)
    .map(({ name, share }) => ({ name: createHash('sha256').update(name).digest('base64url').slice(0, 22), share }))
    .reverse()
}

/** Returns the narrowest group of an address, which identifies a single client: its IPv4 /32 or IPv6 /64. `null` if the address is unknown. */
export function clientGroup(address: string | undefined): string | null {
  return addressGroups(address)[0]?.name ?? null
}

/** Returns the widest group of an address, which can belong to a single owner: its IPv4 /24 or IPv6 /48. `null` if the address is unknown. */
export function clientBlock(address: string | undefined): string | null {
  return addressGroups(address).at(-1)?.name ?? null
}

/** Whether an address is a loopback address: a developer, or a proxy on the same machine. */
export function isLoopback(address: string | undefined): boolean {
  return parseAddress(address)?.range() === 'loopback'
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

// Node decides whether a string is an address: ipaddr.js also accepts octal, hexadecimal and short forms, which other programs can
// interpret differently. The URL parser normalizes IPv6, because ipaddr.js treats "::1.2.3.4" and "::102:304" as different
// addresses. ipaddr.js does the rest. IPv4-mapped IPv6 addresses are converted to IPv4.
function parseAddress(address: string | undefined): Address | undefined {
  const text = address?.trim().split('%', 1)[0] ?? ''
  const version = isIP(text)
  if (version === 0) return undefined
  return ipaddr.process(version === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1))
}

function networkOf(address: Address, length: number): string {
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${length}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${length}`)
  return network.toString()
}

/** Which hops in front of the server are trusted proxies. */
export type TrustedProxies =
  /** Exactly this number of hops, regardless of their addresses. */
  | { readonly hops: number }
  /** Proxies with addresses in these ranges: CIDR blocks, `loopback`, `private`. */
  | { readonly ranges: readonly string[] }

/** Whether a string is an address range that `createClientAddress` accepts. */
export function isRange(text: string): boolean {
  return text === 'loopback' || text === 'private' || isIP(text) !== 0 || ipaddr.isValidCIDR(text)
}

/** The sender of a request, as far as it is known. */
export interface ClientAddress {
  readonly address: string | undefined
  /** Whether the request arrived through a trusted proxy. */
  readonly isTrusted: boolean
}

const forwardedHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'] as const

/**
 * Creates a function that determines the client's address behind proxies. The header is read from its end: each proxy appends the
 * address it received the request from, and anything before the first untrusted address can be spoofed. Headers are ignored if
 * `header` is not set or the request does not come from a trusted proxy; an ignored header is logged once.
 */
export function createClientAddress({
  header,
  proxies,
  log,
}: {
  header: string | undefined
  proxies: TrustedProxies
  log: Log
}): (headers: Pick<Headers, 'get'>, peer: string | undefined) => ClientAddress {
  const isProxy = 'ranges' in proxies ? inRanges(proxies.ranges) : () => true
  const maxHops = 'hops' in proxies ? proxies.hops : Number.POSITIVE_INFINITY
  let isSaid = false
  const sayOnce = (message: string): void => {
    if (!isSaid) log('warn', message)
    isSaid = true
  }

  return (headers, peer) => {
    const known = { address: peer, isTrusted: false }
    if (header === undefined) {
      if (!isSaid && forwardedHeaders.some((name) => headers.get(name) !== null))
        sayOnce(
          'requests arrive through a proxy, but CLIENT_ADDRESS_HEADER is not set, so all its clients share the limits of one address. Set it to the header in which your proxy writes the client address',
        )
      return known
    }
    const value = headers.get(header)
    if (value === null) return known
    if (!isProxy(peer)) {
      sayOnce(
        `${header} was ignored because it came from an address that is not in TRUSTED_PROXIES: add the address of your proxy`,
      )
      return known
    }
    let address = peer
    const entries = header === 'forwarded' ? forwardedFor(value) : value.split(',')
    for (const [at, entry] of entries.reverse().entries()) {
      const found = addressIn(entry)
      // Hidden or unparsable: use the address of the last known proxy instead.
      if (found === undefined) break
      address = found
      if (at + 1 >= maxHops || !isProxy(found)) break
    }
    return { address, isTrusted: true }
  }
}

/** Returns the `for` value of each element of a Forwarded header (RFC 7239). */
function forwardedFor(value: string): string[] {
  const elements = value.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  return elements.map(
    (element) => /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]+)/i.exec(element.trim())?.[1]?.replaceAll('"', '') ?? '',
  )
}

/** Returns the address without the port and brackets that some proxies add. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim()
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  return parseAddress(bare) ? bare : undefined
}

function inRanges(ranges: readonly string[]): (address: string | undefined) => boolean {
  const isLocal = (address: Address): boolean => address.range() === 'loopback'
  const isPrivate = (address: Address): boolean => ['private', 'uniqueLocal', 'linkLocal'].includes(address.range())
  const tests = ranges.map((range) => {
    if (range === 'loopback') return isLocal
    if (range === 'private') return isPrivate
    const [base = '', length] = range.split('/')
    const network = parseAddress(base)
    const bits = Number(length ?? (network?.kind() === 'ipv4' ? 32 : 128))
    return (address: Address): boolean =>
      network !== undefined && address.kind() === network.kind() && address.match(network as ipaddr.IPv4, bits)
  })
  return (address) => {
    const parsed = parseAddress(address)
    return parsed !== undefined && tests.some((test) => test(parsed))
  }
}
