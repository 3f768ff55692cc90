import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { refuseUpgrade } from './relay/refuseUpgrade.ts'
import type { Caller } from './serverPorts.ts'

/** What one connection may take of a listener. */
export interface ListenerLimits {
  /** How long the head of a request may take to arrive. */
  readonly headersTimeoutMs: number
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutMs: number
  /** How long a connection without a request is kept. */
  readonly keepAliveTimeoutMs: number
  /** How many requests one connection may carry. */
  readonly maxRequestsPerSocket: number
  /** How many connections may be open at once. */
  readonly maxConnections: number
}

const maxHeaderBytes = 32 * 1024
const maxHeaders = 200
/** A body that is no longer is read to its end though nobody wants it, so that its connection can be used again. */
const shortBytes = 65_536

/** A listener of Node for HTTP and for upgrades, with a time limit on whatever a client can leave half-sent. */
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
      // Nobody wants the rest: it stays with its sender, and the adapter ends the connection half a second after the answer.
      if (!incoming.complete && isLong(incoming)) incoming.pause().resume = () => incoming
      return answer
    },
    serverOptions: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      keepAliveTimeout: keepAliveTimeoutMs,
      // Node looks this often for requests that have taken too long; its own 30 s would double the limits.
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
  // Node says `Connection: close` with the last request and leaves the closing to the client.
  listener.on('dropRequest', (_, socket) => socket.destroy())
  return listener
}

const twoHosts = 'A request names one Host'

/** Node takes the first of several; a proxy in front may have looked at another (RFC 9112, section 3.2). */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1
}

function isLong({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > shortBytes
}

/**
 * Calls `listener` once when an answer is sent or its connection is gone, also where that was before. An answer that waits
 * behind others of its connection does not hear when that breaks, so the socket is asked, too.
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
  // As many as requests may wait on one connection.
  socket.setMaxListeners(0)
  outgoing.once('close', done)
  socket.once('close', done)
}
