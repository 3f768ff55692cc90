import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether an address is a loopback address. A client with such an address is a developer, or a proxy on the same machine. */
export function isLoopback(address: string | undefined): boolean {
  return parseAddress(address)?.range() === 'loopback'
}

/** A parsed IP address. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** Parses an IPv4 or IPv6 address, and ignores surrounding spaces and a zone ID. Returns `undefined` for any other text. */
export function parseAddress(address: string | undefined): IpAddress | undefined {
  // Node.js decides whether a string is an address, because ipaddr.js also accepts octal, hexadecimal and short forms, which
  // other programs can interpret differently. The URL parser normalizes IPv6 addresses, because ipaddr.js treats "::1.2.3.4" and
  // "::102:304" as different addresses. `ipaddr.process` converts IPv4-mapped IPv6 addresses to IPv4.
  const text = address?.trim().split('%', 1)[0] ?? ''
  const version = isIP(text)
  if (version === 0) return undefined
  // Almost all addresses are IPv4 addresses, and Node.js has already validated this one.
  if (version === 4) return new ipaddr.IPv4(text.split('.').map(Number))
  return ipaddr.process(new URL(`http://[${text}]`).hostname.slice(1, -1))
}
