import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Log } from './serverPorts.ts'

/** A group of addresses that are counted together. */
export interface AddressGroup {
  /** In CIDR notation: `203.0.113.7/32`, `2001:db8:1:200::/56`. */
  readonly name: string
  /** How many times the limit of a single client the whole group may use. */
  readonly share: number
}

// One home or one rented server has a /64, many have a /56 or a /48: an attacker who owns such a block must not get one
// allowance per /64. An IPv4 /24 can be many unrelated customers, so its share is wide.
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
 * The groups that an address is counted under, the narrowest first: /32 and /24 of IPv4, /64, /56 and /48 of IPv6. Every
 * spelling of an address gives the same groups. Empty where it is not known.
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

/** The same groups, the widest first, each named by a digest: for what is counted in memory, so that a dump of a process names no visitor. */
export function digestedGroups(address: string | undefined): readonly AddressGroup[] {
  return addressGroups(address)
    .map(({ name, share }) => ({ name: createHash('sha256').update(name).digest('base64url').slice(0, 22), share }))
    .reverse()
}

/** The narrowest group of an address, which is one client: its /32 of IPv4 or its /64 of IPv6. `null` where it is not known. */
export function clientGroup(address: string | undefined): string | null {
  return addressGroups(address)[0]?.name ?? null
}

/** The widest group of an address, all of which one stranger may own: its /24 of IPv4 or its /48 of IPv6. `null` where it is not known. */
export function clientBlock(address: string | undefined): string | null {
  return addressGroups(address).at(-1)?.name ?? null
}

/** Whether an address belongs to this machine: a developer, or a proxy that stands for everybody. */
export function isLoopback(address: string | undefined): boolean {
  return parseAddress(address)?.range() === 'loopback'
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

// Node decides what an address is (ipaddr.js alone also takes octal, hexadecimal and short forms, which two programs may
// read as two addresses), the URL parser writes IPv6 in its one canonical form (ipaddr.js alone reads "::1.2.3.4" and
// "::102:304" as two addresses), and ipaddr.js does the rest. An IPv4 address mapped into IPv6 is the IPv4 address.
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

/** Which hops of a request are proxies of the operator's. */
export type TrustedProxies =
  /** Exactly so many, whatever their addresses. */
  | { readonly hops: number }
  /** Those with these addresses: CIDR blocks, `loopback`, `private`. */
  | { readonly ranges: readonly string[] }

/** Whether a text names a range of addresses that `createClientAddress` takes. */
export function isRange(text: string): boolean {
  return text === 'loopback' || text === 'private' || isIP(text) !== 0 || ipaddr.isValidCIDR(text)
}

/** What is known of who sent a request. */
export interface ClientAddress {
  readonly address: string | undefined
  /** Whether it came through a proxy whose headers are believed. */
  readonly isTrusted: boolean
}

const forwardedHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'] as const

/**
 * Finds the address of a client behind proxies. The header is read from its end: each proxy adds the address that it was
 * asked from, and whatever stands before the first address that is not a trusted proxy was written by a stranger. Without
 * `header`, or from elsewhere than a trusted proxy, no header is believed, and the log says so once.
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
          'requests come through a proxy, and CLIENT_ADDRESS_HEADER is not set: all of its visitors share the limits of one address; set it to the header in which your proxy writes the address of the client',
        )
      return known
    }
    const value = headers.get(header)
    if (value === null) return known
    if (!isProxy(peer)) {
      sayOnce(
        `${header} came from an address that is not among TRUSTED_PROXIES and was not believed: add the address of your proxy`,
      )
      return known
    }
    let address = peer
    const entries = header === 'forwarded' ? forwardedFor(value) : value.split(',')
    for (const [at, entry] of entries.reverse().entries()) {
      const found = addressIn(entry)
      // Hidden or unreadable: the last proxy that is known stands for whoever is behind it.
      if (found === undefined) break
      address = found
      if (at + 1 >= maxHops || !isProxy(found)) break
    }
    return { address, isTrusted: true }
  }
}

/** The `for` of each element of a Forwarded header (RFC 7239). */
function forwardedFor(value: string): string[] {
  const elements = value.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  return elements.map(
    (element) => /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;\s]+)/i.exec(element.trim())?.[1]?.replaceAll('"', '') ?? '',
  )
}

/** An address, without the port and the brackets that some proxies write. */
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
