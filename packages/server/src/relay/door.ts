import { originAllowed } from '@latchkey/protocol/origins'
import { type AddressGroup, digestedGroups, isLoopback } from '../clientAddress.ts'
import type { Projects, Rates } from '../ports.ts'
import { clientOf, TokenError } from './token.ts'

/** What a client says when it connects. */
export interface Greeting {
  readonly auth: string | undefined
  readonly projectId: string | undefined
  readonly origin: string | undefined
  /** The name that the client reached us by: its token must be made for it. */
  readonly host: string | undefined
  /** The network address, where it is known. */
  readonly address?: string | undefined
}

/** Who may ask. */
export interface Guest {
  readonly client: string
  /** The address groups that it is counted under, the widest first; none where the address is this machine's or not known. */
  readonly groups: readonly AddressGroup[]
  /** The registered project that it asks for. */
  readonly project: string | undefined
}

/** Why a client is not let in: the words and tag of the wire, its close code and its HTTP status. */
export class DoorError extends Error {
  override readonly name = 'DoorError'
  readonly tag: 'InvalidJwt' | 'InvalidKey' | 'MissingJwt' | 'OriginNotAllowed' | 'ProjectNotFound' | 'TooManyRequests'
  readonly closeCode: number
  readonly status: 401 | 403 | 429
  constructor(tag: DoorError['tag'], message: string) {
    super(message)
    this.tag = tag
    this.closeCode = tag === 'TooManyRequests' ? 3001 : 3000
    this.status = tag === 'TooManyRequests' ? 429 : tag === 'OriginNotAllowed' ? 403 : 401
  }
}

/** How often one network may ask, per minute; 0 is as often as one likes. */
export interface RelayRates {
  readonly connections: number
  readonly messages: number
}

/** Looks at who connects. */
export interface Door {
  /** Who this is, or a DoorError. */
  admit(greeting: Greeting): Promise<Guest>
  /** Whether this guest may send so many messages more, one where nothing is said. */
  mayAsk(guest: Guest, messages?: number): Promise<boolean>
}

/** A door that asks for a token of the client's own and, where projects are registered, for one of them from one of its pages. */
export function createDoor({
  projects,
  rates,
  messageRates = rates,
  limits,
  names = [],
  now,
}: {
  projects: Projects
  rates: Rates
  /** Where messages are counted, if not with the handshakes. */
  messageRates?: Rates
  limits: RelayRates
  /** The only names that tokens may be made for; without any, the one in the Host header. */
  names?: readonly string[]
  now: () => number
}): Door {
  return {
    async admit({ auth, projectId, origin, host, address }) {
      const groups = isLoopback(address) ? [] : digestedGroups(address)
      if (limits.connections > 0)
        for (const { name, share } of groups)
          if ((await rates.take(`relay connect ${name}`, limits.connections * share)) > 0)
            throw new DoorError('TooManyRequests', 'Too many requests')
      if (!auth) throw new DoorError('MissingJwt', 'JWT validation error: JWT is missing')
      // Whoever calls may write any Host: where names are set, only these count.
      const audiences = names.length > 0 ? names : host === undefined ? undefined : [host.toLowerCase()]
      let client: string
      try {
        client = clientOf(auth, { audiences, now: now() })
      } catch (error) {
        throw error instanceof TokenError ? new DoorError('InvalidJwt', error.message) : error
      }
      if (projectId !== undefined && !/^[\w-]{1,128}$/.test(projectId))
        throw new DoorError('InvalidKey', 'Unauthorized: invalid key')
      const known = await projects.all()
      if (known.length > 0) {
        if (projectId === undefined) throw new DoorError('InvalidKey', 'Unauthorized: invalid key')
        const project = known.find(({ id }) => id === projectId)
        if (!project) throw new DoorError('ProjectNotFound', 'Project not found')
        // A wallet that is no page has no Origin; what it can read is sealed in any case.
        if (origin !== undefined && !originAllowed(origin, project.allowedOrigins))
          throw new DoorError('OriginNotAllowed', 'Unauthorized: origin not allowed')
      }
      return { client, groups, project: known.length > 0 ? projectId : undefined }
    },
    async mayAsk({ groups }, messages = 1) {
      if (limits.messages === 0) return true
      for (const { name, share } of groups)
        if ((await messageRates.take(`relay message ${name}`, limits.messages * share, messages)) > 0) return false
      return true
    },
  }
}

/** What a request says of who asks. `address` is the network's. */
export function greetingOf(
  request: { url: string; headers: { get(name: string): string | null | undefined } },
  address: string | undefined,
): Greeting {
  // By hand: `//` is a path that a program may ask for, and no URL.
  const searchParams = new URLSearchParams(request.url.split('?')[1])
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  return {
    auth: searchParams.get('auth') ?? bearer,
    projectId: searchParams.get('projectId') ?? undefined,
    origin: request.headers.get('origin') ?? undefined,
    host: request.headers.get('host') ?? undefined,
    address,
  }
}
