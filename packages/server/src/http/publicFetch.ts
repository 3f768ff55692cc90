import { type LookupAddress, lookup as lookupHost } from 'node:dns'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { parseAddress } from '../ipAddresses/ipAddress.ts'

/** The limits of a request to a public server. */
export interface PublicRequest {
  /** The body. Sent with POST as JSON. Without a body, the request is a GET. */
  readonly body?: string | undefined
  /** The maximum size of the response, in bytes. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Resolves to the response text of a public https server. Rejects if the status is not 200 or if a limit is exceeded. */
export type PublicFetch = (url: string, request: PublicRequest) => Promise<string>

/**
 * Creates a function that sends requests to URLs that anyone could have chosen, such as those in a contract. Only https servers
 * on port 443 with a public address are contacted, so that the operator's network cannot be reached through this server. The
 * address is checked when the connection is opened, because a name can resolve to another address each time. Redirects are not
 * followed.
 *
 * @param lookup Resolves host names. Defaults to that of Node.
 */
export function createPublicFetch(lookup: typeof lookupHost = lookupHost): PublicFetch {
  const lookupPublic: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, [])
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new Error('The host has no public address'), [])
      if (options.all) return callback(null, addresses)
      const [{ address, family }] = addresses as [LookupAddress]
      callback(null, address, family)
    })
  }

  return (url, { body, maxBytes, timeoutMs, signal }) =>
    new Promise((resolve, reject) => {
      const parsed = new URL(url)
      const host = parsed.hostname.replace(/^\[|\]$/g, '')
      // Node does not call `lookup` for IP addresses, so they are checked here.
      const isAddress = parseAddress(host) !== undefined
      if (parsed.protocol !== 'https:' || parsed.port !== '' || parsed.username || parsed.password)
        throw new TypeError('Only https URLs with the default port can be requested')
      if (isAddress && !isPublicAddress(host)) throw new TypeError('The host has no public address')
      const request = requestHttps(parsed, {
        method: body === undefined ? 'GET' : 'POST',
        lookup: lookupPublic,
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      })
      const fail = (error: unknown): void => {
        reject(error)
        request.destroy()
      }
      request.on('error', reject)
      request.on('response', (response) => {
        if (response.statusCode !== 200) return fail(new Error(`The server responded with ${response.statusCode}`))
        const chunks: Buffer[] = []
        let size = 0
        response.on('error', reject)
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) fail(new Error('The response is too large'))
          else chunks.push(chunk)
        })
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
      })
      request.end(body)
    })
}

/** Whether an IP address is reachable on the internet, and not part of a private or special network. */
export function isPublicAddress(address: string): boolean {
  return parseAddress(address)?.range() === 'unicast'
}
