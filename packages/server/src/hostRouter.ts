import { refuseUpgrade } from './http/refuseUpgrade.ts'
import type { ServedRoute, Server } from './http/routeList.ts'
import type { CallerBehindProxy } from './ipAddresses/callerBehindProxy.ts'
import type { RelayWebSocketServer } from './relay/webSocketServer.ts'
import type { Caller } from './serverDependencies.ts'

/** A server that has its own origin. */
interface OriginServer {
  /** The origin, such as `https://keys.shop.example`. */
  readonly origin: string
  readonly server: Server
}

/** A router that passes each request to the server for its origin. */
export interface HostRouter {
  fetch(request: Request, caller?: Caller): Promise<Response>
  /** Like `fetch`, but returns the response instead of a promise if it is ready. */
  respond(request: Request, caller?: Caller): Response | Promise<Response>
  upgrade: RelayWebSocketServer['upgrade']
  /** The routes that the servers provide, each with its origin. */
  readonly routes: readonly (ServedRoute & { readonly origin: 'connect' | 'keys' | 'identify' })[]
}

/** Routes requests by their `Host` header. `connect` handles every host other than those of the other origins. */
export function createHostRouter({
  connect,
  keys,
  identify,
  relay,
  callerOf,
}: {
  connect: Server
  keys: OriginServer | undefined
  identify: OriginServer | undefined
  relay: Pick<RelayWebSocketServer, 'upgrade'> | undefined
  callerOf: CallerBehindProxy
}): HostRouter {
  const keysHost = keys && new URL(keys.origin).host
  const identifyHost = identify && new URL(identify.origin).host
  const serverOf = (request: Request): Server => {
    if (!keys && !identify) return connect
    const host = hostOf(request)
    // Only the configured host names match, so that requests for another host name that resolves to this machine do not reach the
    // keys origin.
    if (keys && host === keysHost) return keys.server
    if (identify && host === identifyHost) return identify.server
    return connect
  }
  const respond: HostRouter['respond'] = (request, caller = {}) => {
    const server = serverOf(request)
    return (server.respond ?? server)(request, callerOf(request, caller))
  }
  return {
    fetch: async (request, caller) => respond(request, caller),
    respond,
    upgrade(request, socket, head) {
      // There is no relay on the keys origin, because the relay serves pages on other origins.
      if (!relay || (keysHost !== undefined && request.headers.host?.toLowerCase() === keysHost))
        refuseUpgrade(socket, { status: 404, reason: 'Not found' })
      else relay.upgrade(request, socket, head)
    },
    routes: [
      ...connect.routes.map((route) => ({ ...route, origin: 'connect' as const })),
      ...(keys?.server.routes ?? []).map((route) => ({ ...route, origin: 'keys' as const })),
      ...(identify?.server.routes ?? []).map((route) => ({ ...route, origin: 'identify' as const })),
    ],
  }
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
}
