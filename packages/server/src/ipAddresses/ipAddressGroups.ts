import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { type IpAddress, parseAddress } from './ipAddress.ts'

/** A group of addresses that share a rate limit. */
export interface IpAddressGroup {
  /** The group in CIDR notation, such as `203.0.113.7/32` or `2001:db8:1:200::/56`. */
  readonly name: string
  /** The group's limit, as a multiple of the limit for a single client. */
  readonly share: number
}

/** The networks of a client, by which limits are counted. */
export interface ClientNetworks {
  /** The network that limits apply to: the client's IPv4 address or IPv6 /64, or `null` if unknown. */
  readonly network: string | null
  /** The client's network and the larger networks that contain it, each with its share of a limit. */
  readonly networks: readonly IpAddressGroup[]
  /** The IPv4 /24 or IPv6 /48 that contains the network and might belong to a single attacker, or `null` if unknown. */
  readonly block: string | null
}

// A home connection or a rented server typically has an IPv6 /64, and many have a /56 or a /48. An attacker with such a block
// must not get a separate limit for each /64. An IPv4 /24 can belong to many unrelated customers, so its limit is a large
// multiple.
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
 * Returns the groups that an address belongs to, narrowest first: /32 and /24 for IPv4, and /64, /56 and /48 for IPv6. All
 * notations of an address have the same groups. Returns an empty array if the address is unknown.
 *
 * @example
 * for (const { name, share } of ipAddressGroups(address)) await rates.take(name, perMinute * share)
 */
export function ipAddressGroups(address: string | undefined): readonly IpAddressGroup[] {
  const parsed = parseAddress(address)
  if (!parsed) return []
  const kind = parsed.kind()
  return prefixes[kind].map(({ length, share }) => ({ name: `${networkOf(parsed, length)}/${length}`, share }))
}

/**
 * Returns the groups from `ipAddressGroups`, but widest first and with digests as names, so that a memory dump contains no
 * addresses.
 */
export function digestedGroups(address: string | undefined): readonly IpAddressGroup[] {
  return ipAddressGroups(address)
    .map(({ name, share }) => ({ name: hash('sha256', name, 'base64url').slice(0, 22), share }))
    .reverse()
}

/** The data that the server keeps about a connection for as long as it is open. */
export interface ConnectionMemory {
  /** The groups of the last address from which a request arrived on the connection. */
  addressGroups?: { readonly address: string | undefined; readonly groups: readonly IpAddressGroup[] }
}

/**
 * Returns the groups from `digestedGroups` for a caller. They are cached per connection, because computing the digests takes
 * longer than the rest of a simple request. They are computed again if the address changes, because a proxy can send the requests
 * of several clients over one connection.
 */
export function callerGroups({
  address,
  connection,
}: {
  readonly address?: string | undefined
  readonly connection?: ConnectionMemory | undefined
}): readonly IpAddressGroup[] {
  const known = connection?.addressGroups
  if (known && known.address === address) return known.groups
  const groups = digestedGroups(address)
  if (connection) connection.addressGroups = { address, groups }
  return groups
}

/** Returns the narrowest group of an address (IPv4 /32 or IPv6 /64), which identifies a client, or `null` if it is unknown. */
export function clientGroup(address: string | undefined): string | null {
  return ipAddressGroups(address)[0]?.name ?? null
}

/**
 * Returns the widest group of an address (IPv4 /24 or IPv6 /48), which might belong to a single owner, or `null` if it is
 * unknown.
 */
export function clientBlock(address: string | undefined): string | null {
  return ipAddressGroups(address).at(-1)?.name ?? null
}

/**
 * Returns the first address of a network. ipaddr.js is not used for this, because it would parse the address for each network.
 */
function networkOf(address: IpAddress, length: number): string {
  const [parts, bits] = 'octets' in address ? [address.octets, 8] : [address.parts, 16]
  const masked = parts.map((part, at) => {
    const kept = Math.min(bits, Math.max(0, length - at * bits))
    return part & ((2 ** kept - 1) << (bits - kept))
  })
  return (bits === 8 ? new ipaddr.IPv4(masked) : new ipaddr.IPv6(masked)).toString()
}
