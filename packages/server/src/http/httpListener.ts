import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import type { ConnectionMemory } from '../ipAddresses/ipAddressGroups.ts'
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
  /** Returns the response instead of a promise if it is ready, so that the adapter can send it without waiting. */
  fetch: (request: Request, caller: Caller) => Response | Promise<Response>
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  limits: ListenerLimits
}): NodeServer {
  const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, maxRequestsPerSocket, maxConnections } = limits
  const connectionOf = createConnections()
  const listener = createAdaptorServer({
    fetch: (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      if (namesTwoHosts(incoming)) return new Response(twoHosts, { status: 400, headers: { connection: 'close' } })
      const { socket } = incoming
      const connection = connectionOf(socket)
      const answer = fetch(request, {
        address: socket.remoteAddress,
        connection: connection.memory,
        onSent: (listener) => whenOver(connection, { outgoing, socket }, listener),
      })
      if (!hasBody(incoming)) return answer
      return Promise.resolve(answer).then((response) => {
        // The rest of the body is not read. The adapter closes the connection half a second after the response.
        if (!incoming.complete && isLong(incoming)) {
          incoming.pause().resume = () => incoming
          socket.pause()
        }
        return response
      })
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
  // With the last response, Node only sends `Connection: close` and relies on the client to close the connection.
  listener.on('dropRequest', (_, socket) => socket.destroy())
  return listener
}

const twoHosts = 'A request must have only one Host header'

/**
 * Returns whether a request has more than one Host header. Node uses the first header, but a proxy might have used another
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined
}

function isLong({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > shortBytes
}

/** An open connection. */
interface Connection {
  readonly memory: ConnectionMemory
  /** The functions to call when the connection closes. */
  readonly onClose: Set<() => void>
}

/** Creates the function that returns the connection of a socket. All requests on a connection share one `close` listener. */
function createConnections(): (socket: Socket) => Connection {
  const connections = new WeakMap<Socket, Connection>()
  return (socket) => {
    const known = connections.get(socket)
    if (known) return known
    const onClose = new Set<() => void>()
    socket.once('close', () => {
      for (const closed of onClose) closed()
    })
    const connection = { memory: {}, onClose }
    connections.set(socket, connection)
    return connection
  }
}

/**
 * Calls `listener` once when the response has been sent or the connection has closed, even if this has already happened. If a
 * connection closes while a response is queued behind others, the response emits no `close` event, so this function also listens
 * for the end of the connection.
 */
function whenOver(
  { onClose }: Connection,
  { outgoing, socket }: { readonly outgoing: ServerResponse; readonly socket: Socket },
  listener: () => void,
): void {
  if (socket.destroyed || outgoing.closed) {
    listener()
    return
  }
  const done = (): void => {
    if (onClose.delete(done)) listener()
  }
  onClose.add(done)
  outgoing.once('close', done)
}
