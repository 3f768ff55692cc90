import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import type { Caller } from '../serverDependencies.ts'
import { refuseUpgrade } from './refuseUpgrade.ts'

/** The limits of a listener and its connections. */
export interface ListenerLimits {
  /** The timeout for receiving the headers of a request. */
  readonly headersTimeoutMs: number
  /** The timeout for receiving a whole request. */
  readonly requestTimeoutMs: number
  /** How long a connection stays open without a request. */
  readonly keepAliveTimeoutMs: number
  /** The maximum number of requests per connection. */
  readonly maxRequestsPerSocket: number
  /** The maximum number of open connections. */
  readonly maxConnections: number
}

const maxHeaderBytes = 32 * 1024
const maxHeaders = 200
/** Unread request bodies up to this size, in bytes, are read to the end so that the connection can be reused. */
const shortBytes = 65_536

/** Creates a Node listener for HTTP requests and upgrades. Every request that a client leaves incomplete times out. */
export function createListener({
  fetch,
  upgrade,
  limits,
}: {
  fetch: (request: Request, caller: Caller) => Promise<Response>
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  limits: ListenerLimits
}): NodeServer {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, maxRequestsPerSocket, maxConnections } = limits
  const listener = createAdaptorServer({
    fetch: async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      if (namesTwoHosts(incoming)) return new Response(twoHosts, { status: 400, headers: { connection: 'close' } })
      const answer = await fetch(request, {
        address: incoming.socket.remoteAddress,
        onSent: (listener) => whenOver(incoming, outgoing, listener),
      })
      // The rest of the body is not read. The adapter closes the connection half a second after the response.
      if (!incoming.complete && isLong(incoming)) incoming.pause().resume = () => incoming
      return answer
    },
    serverOptions: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      keepAliveTimeout: keepAliveTimeoutMs,
      // How often Node checks for timeouts. The default would add up to 30 s to each limit.
      connectionsCheckingInterval: Math.max(20, Math.min(1_000, Math.floor(headersTimeoutMs / 4))),
      maxHeaderSize: maxHeaderBytes,
    },
  }) as NodeServer
  listener.maxHeadersCount = maxHeaders
  listener.maxRequestsPerSocket = maxRequestsPerSocket
  listener.maxConnections = maxConnections
  listener.on('upgrade', (request, socket, head) => {
    if (namesTwoHosts(request)) refuseUpgrade(socket, { status: 400, reason: twoHosts })
    else upgrade(request, socket, head)
  })
  // Node only sends `Connection: close` with the last request and relies on the client to close the connection.
  listener.on('dropRequest', (_, socket) => socket.destroy())
  return listener
}

const twoHosts = 'A request must have only one Host header'

/**
 * Returns whether a request has more than one Host header. Node uses the first header, but a proxy might have used a different
 * one (RFC 9112, section 3.2).
 */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    // The length is compared first, because this runs for every header of every request.
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

function isLong({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > shortBytes
}

/**
 * Calls `listener` once when the response has been sent or the connection has closed, even if this has already happened. A
 * response that is queued behind others on the connection gets no close event, so this function also listens to the socket.
 */
function whenOver({ socket }: IncomingMessage, outgoing: ServerResponse, listener: () => void): void {
  if (socket.destroyed || outgoing.closed) {
    listener()
    return
  }
  const done = (): void => {
    outgoing.off('close', done)
    socket.off('close', done)
    listener()
  }
  // There is no limit on listeners, because many requests can be queued on one connection.
  socket.setMaxListeners(0)
  outgoing.once('close', done)
  socket.once('close', done)
}
