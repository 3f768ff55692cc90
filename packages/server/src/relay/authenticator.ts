import { originAllowed } from '@latchkey/protocol/origins'
import { isLoopback } from '../ipAddresses/ipAddress.ts'
import { digestedGroups, type IpAddressGroup } from '../ipAddresses/ipAddressGroups.ts'
import type { Projects, RateLimiter } from '../serverDependencies.ts'
import { TokenError, verifyClientJwt } from './verifyClientJwt.ts'

/** The credentials and connection details of a client. */
export interface Handshake {
  /** The client's token, a JWT signed with the client's key (`did:key`). `undefined` if the client sent no token. */
  readonly auth: string | undefined
  /** The project ID from the URL. `undefined` if the client sent no project ID. */
  readonly projectId: string | undefined
  /** The `Origin` header. Native wallets do not send it. */
  readonly origin: string | undefined
  /** The host name that the client connected to. The token must be issued for this name. */
  readonly host: string | undefined
  /** The client's network address, if known. */
  readonly address?: string | undefined
}

/** An authenticated client of the relay. */
export interface RelayClient {
  /** The `did:key` of the client's public key. */
  readonly clientId: string
  /** The address groups that the client belongs to, widest first. Empty if the address is loopback or unknown. */
  readonly groups: readonly IpAddressGroup[]
  /** The registered project that the client belongs to. */
  readonly project: string | undefined
}

/**
 * Thrown when a client is rejected. Contains the error message and tag from the wire format, the close code and the HTTP status.
 */
export class AuthError extends Error {
  /** Always `AuthError`, even in minified bundles. */
  override readonly name = 'AuthError'
  /** The reason for the rejection, as defined in the wire format. */
  readonly tag: 'InvalidJwt' | 'InvalidKey' | 'MissingJwt' | 'OriginNotAllowed' | 'ProjectNotFound' | 'TooManyRequests'
  /** The WebSocket close code: 3001 for too many requests, otherwise 3000. */
  readonly closeCode: number
  /** The HTTP status: 401, 403 for an origin that is not allowed, or 429 for too many requests. */
  readonly status: 401 | 403 | 429
  constructor(tag: AuthError['tag'], message: string) {
    super(message)
    this.tag = tag
    this.closeCode = tag === 'TooManyRequests' ? 3001 : 3000
    this.status = tag === 'TooManyRequests' ? 429 : tag === 'OriginNotAllowed' ? 403 : 401
  }
}

/** The rate limits for each network, per minute. 0 means no limit. */
export interface RelayRates {
  /** New connections and HTTP calls per minute from each client address. Larger networks have a multiple of this limit. */
  readonly connections: number
  /** Calls and publications per minute from each client address. Larger networks have a multiple of this limit. */
  readonly messages: number
}

/** Authenticates clients and limits their rates. */
export interface Authenticator {
  /**
   * Authenticates a client.
   *
   * @throws {AuthError} if the client is rejected.
   */
  authenticate(handshake: Handshake): Promise<RelayClient>
  /**
   * Counts `messages` (default 1) against the client's rate limits. Returns whether the client can send that many messages, as a
   * promise if a limit has to be looked up in a store.
   */
  canSend(client: RelayClient, messages?: number): boolean | Promise<boolean>
}

/**
 * Creates an authenticator that requires a token signed by the client. If projects are registered, it also requires the ID of a
 * project that allows the client's origin.
 */
export function createAuthenticator({
  projects,
  rates,
  messageRates = rates,
  limits,
  hostNames = [],
  now,
}: {
  projects: Projects
  rates: RateLimiter
  /** The rate limiter for messages. Defaults to `rates`. */
  messageRates?: RateLimiter
  limits: RelayRates
  /** The host names that are accepted as a token's audience. Defaults to the `Host` header. */
  hostNames?: readonly string[]
  now: () => number
}): Authenticator {
  const isWithin = (groups: readonly IpAddressGroup[], messages: number): boolean | Promise<boolean> => {
    for (const [at, { name, share }] of groups.entries()) {
      const seconds = messageRates.take(`relay message ${name}`, limits.messages * share, messages)
      if (typeof seconds !== 'number')
        return seconds.then((later) => later === 0 && isWithin(groups.slice(at + 1), messages))
      if (seconds > 0) return false
    }
    return true
  }

  return {
    async authenticate({ auth, projectId, origin, host, address }) {
      const groups = isLoopback(address) ? [] : digestedGroups(address)
      if (limits.connections > 0)
        for (const { name, share } of groups)
          if ((await rates.take(`relay connect ${name}`, limits.connections * share)) > 0)
            throw new AuthError('TooManyRequests', 'Too many requests')
      if (!auth) throw new AuthError('MissingJwt', 'JWT validation error: JWT is missing')
      // Clients can send any Host header, so configured names take precedence.
      const audiences = hostNames.length > 0 ? hostNames : host === undefined ? undefined : [host]
      let clientId: string
      try {
        clientId = verifyClientJwt(auth, { audiences, now: now() })
      } catch (error) {
        throw error instanceof TokenError ? new AuthError('InvalidJwt', error.message) : error
      }
      if (projectId !== undefined && !/^[\w-]{1,128}$/.test(projectId))
        throw new AuthError('InvalidKey', 'Unauthorized: invalid key')
      const registered = await projects.all()
      if (registered.length > 0) {
        if (projectId === undefined) throw new AuthError('InvalidKey', 'Unauthorized: invalid key')
        const project = registered.find(({ id }) => id === projectId)
        if (!project) throw new AuthError('ProjectNotFound', 'Project not found')
        // Native wallets send no Origin header. All messages that they can read are encrypted anyway.
        if (origin !== undefined && !originAllowed(origin, project.allowedOrigins))
          throw new AuthError('OriginNotAllowed', 'Unauthorized: origin not allowed')
      }
      return { clientId, groups, project: registered.length > 0 ? projectId : undefined }
    },
    canSend: ({ groups }, messages = 1) => limits.messages === 0 || isWithin(groups, messages),
  }
}

/** Reads the handshake from a request. `address` is the client's network address. */
export function handshakeOf(
  request: { url: string; headers: { get(name: string): string | null | undefined } },
  address: string | undefined,
): Handshake {
  // `new URL` is not used, because it rejects the path `//`, which a client can request.
  const query = new URLSearchParams(request.url.split('?')[1])
  const bearerToken = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  return {
    auth: query.get('auth') ?? bearerToken,
    projectId: query.get('projectId') ?? undefined,
    origin: request.headers.get('origin') ?? undefined,
    host: request.headers.get('host') ?? undefined,
    address,
  }
}
