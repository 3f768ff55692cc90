import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Log } from '../serverDependencies.ts'
import { type IpAddress, parseAddress } from './ipAddress.ts'

/** Specifies which hops in front of the server are trusted proxies. */
export type TrustedProxies =
  /** A fixed number of hops is trusted, regardless of their addresses. */
  | { readonly hops: number }
  /** Proxies with addresses in these ranges are trusted. A range is a CIDR block, `loopback` or `private`. */
  | { readonly ranges: readonly string[] }

/** Whether a string is a valid address range for `TrustedProxies`. */
export function isRange(text: string): boolean {
  return text === 'loopback' || text === 'private' || isIP(text) !== 0 || ipaddr.isValidCIDR(text)
}

/** The address of the client that sent a request, if known. */
export interface ClientAddress {
  readonly address: string | undefined
  /** Whether the request arrived through a trusted proxy. */
  readonly isTrusted: boolean
}

const forwardedHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'] as const

/**
 * Creates a function that returns the client's address behind proxies. The header is read from its end, because each proxy
 * appends the address from which it received the request. Clients can spoof everything before the last untrusted address. Headers
 * are ignored if `header` is not set or if the request does not come from a trusted proxy. An ignored header is logged once.
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
      // If the entry is hidden or invalid, the address of the last known proxy is used.
      if (found === undefined) break
      address = found
      if (at + 1 >= maxHops || !isProxy(found)) break
    }
    return { address, isTrusted: true }
  }
}

/** Returns the `for` value of each element in a Forwarded header (RFC 7239). */
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
  const isLocal = (address: IpAddress): boolean => address.range() === 'loopback'
  const isPrivate = (address: IpAddress): boolean => ['private', 'uniqueLocal', 'linkLocal'].includes(address.range())
  const tests = ranges.map((range) => {
    if (range === 'loopback') return isLocal
    if (range === 'private') return isPrivate
    const [base = '', length] = range.split('/')
    const network = parseAddress(base)
    const bits = Number(length ?? (network?.kind() === 'ipv4' ? 32 : 128))
    return (address: IpAddress): boolean =>
      network !== undefined && address.kind() === network.kind() && address.match(network as ipaddr.IPv4, bits)
  })
  return (address) => {
    const parsed = parseAddress(address)
    return parsed !== undefined && tests.some((test) => test(parsed))
  }
}
