import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { refuseUpgrade } from '../http/refuseUpgrade.ts'
import { AuthError, type Authenticator, handshakeOf, type RelayClient } from './authenticator.ts'
import { relayLimits } from './limits/relayLimits.ts'
import type { Relay } from './relay.ts'

/** The interval between pings, in milliseconds. */
const pingMs = 30_000
/** The number of queued frames, and of their bytes, at which reading pauses. */
const maxQueued = { frames: 32, bytes: 524_288 } as const
/** How many bytes a client can send after a close frame, and how long it has to respond to the close frame. */
const maxBytesAfterClose = 65_536
const closeTimeoutMs = 5_000

/** A server that accepts WebSocket connections from a Node listener. */
export interface RelayWebSocketServer {
  /** Handles the `upgrade` event of a Node HTTP server. Rejects clients that cannot be authenticated. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes the relay and terminates all connections. */
  close(): void
}

/** Creates the WebSocket server for a relay. */
export function createRelayWebSocketServer({
  relay,
  authenticator,
  clientAddressOf,
  every = everyMs,
  handshakeTimeoutMs = 10_000,
}: {
  relay: Pick<Relay, 'accept' | 'close'>
  authenticator: Pick<Authenticator, 'authenticate'>
  /** Returns the client's network address. */
  clientAddressOf(request: IncomingMessage): string | undefined
  /** Runs a task repeatedly and returns a function that stops it. Default: `setInterval`. */
  every?: (ms: number, task: () => void) => () => void
  /** The timeout for accepting or rejecting an upgrade. */
  handshakeTimeoutMs?: number
}): RelayWebSocketServer {
  const options = {
    noServer: true,
    maxPayload: relayLimits.maxFrameBytes,
    perMessageDeflate: false,
    // Limited, because many small fragments take more memory than the message itself.
    maxFragments: 256,
    maxBufferedChunks: 4_096,
    closeTimeout: closeTimeoutMs,
  }
  const server = new WebSocketServer(options)
  // The library reports invalid handshakes with this event instead of the callback.
  server.on('wsClientError', ({ message }, socket) => refuseUpgrade(socket, { status: 400, reason: message }))
  const responsive = new WeakSet<object>()
  const stopPings = every(pingMs, () => pingClients(server, responsive))

  const completeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, guest: AuthResult): void =>
    server.handleUpgrade(request, socket, head, (client) => {
      responsive.add(client)
      const queued = { frames: 0, bytes: 0 }
      /** The number of received bytes of an incomplete message, and of the messages that the latest data completed. */
      let [partial, completed] = [0, 0]
      const onSent = (): void => connection.unreadBytesChanged()
      const connection = relay.accept(
        {
          send(...parts) {
            if (client.readyState !== client.OPEN) return
            const frame = textFrame(parts)
            // Can be written directly: without compression, the library writes each frame at once, so frames cannot overlap.
            if (frame) socket.write(frame, onSent)
            // Sent as text, with one fragment per part.
            else
              for (const [at, part] of parts.entries())
                client.send(part, { binary: false, fin: at === parts.length - 1 }, onSent)
            // Bytes count as unread only if they could not be passed to the operating system immediately.
            if (client.bufferedAmount > 0) connection.unreadBytesChanged()
          },
          close: (code, reason) => client.close(code, reason),
          terminate: () => client.terminate(),
          unread: () => client.bufferedAmount,
        },
        'error' in guest ? Promise.reject(guest.error) : Promise.resolve(guest.client),
      )
      client.on('pong', () => responsive.add(client))
      client.on('message', (data, isBinary) => {
        responsive.add(client)
        // Messages that arrive after a close frame are ignored.
        if (isBinary || client.readyState !== client.OPEN) return
        const { length } = data as Buffer
        completed += receivedFrameLength(length)
        const handling = connection.receive(data as Buffer)
        if (!handling) return
        queued.frames += 1
        queued.bytes += length
        if (queued.frames >= maxQueued.frames || queued.bytes >= maxQueued.bytes) client.pause()
        void handling.finally(() => {
          queued.frames -= 1
          queued.bytes -= length
          if (client.isPaused && queued.frames <= maxQueued.frames / 2 && queued.bytes < maxQueued.bytes)
            client.resume()
        })
      })
      let late = 0
      // Registered after the library's listener, so that complete messages have already been counted and the rest belongs to an
      // incomplete one.
      socket.on('data', ({ length }: Buffer) => {
        if (client.readyState === client.OPEN) {
          // If the latest data completed a message, only the bytes after it count. The data can also contain other frames, such
          // as pongs.
          const rest = completed === 0 ? length : Math.min(length, Math.max(0, partial + length - completed))
          partial = completed === 0 ? partial + length : rest
          completed = 0
          if (rest > 0) connection.receivedBytes(rest)
          return
        }
        // The library still reads messages, so a client that keeps sending instead of closing is cut off.
        late += length
        if (late > maxBytesAfterClose) client.terminate()
      })
      client.on('close', () => connection.closed())
      // An error is followed by `close`, which is handled above.
      client.on('error', () => {})
    })

  return {
    upgrade(request, socket, head) {
      const late = setTimeout(
        () => refuseUpgrade(socket, { status: 503, reason: 'The relay is busy', retryAfterS: 5 }),
        handshakeTimeoutMs,
      )
      late.unref()
      const clearHandshakeTimeout = (): void => clearTimeout(late)
      // A socket error during authentication is emitted here. Without a listener, the error would end the process.
      const onError = (): void => void socket.destroy()
      socket.on('error', onError)
      socket.once('close', clearHandshakeTimeout)
      if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket')
        return refuseUpgrade(socket, { status: 400, reason: 'This is not a WebSocket handshake' })

      const url = request.url ?? '/'
      const headers = { get: (name: string) => [request.headers[name]].flat()[0] }
      // Never rejects, so that there is no unhandled rejection if the socket closes first.
      const authResult: Promise<AuthResult> = authenticator
        .authenticate(handshakeOf({ url, headers }, clientAddressOf(request)))
        .then(
          (client) => ({ client }),
          (error: unknown) => ({ error }),
        )
      void authResult.then((client) => {
        clearHandshakeTimeout()
        if (socket.destroyed || socket.writableEnded) return
        // Browsers cannot read the status of a failed upgrade, so a client can request a close frame instead.
        const wantsCloseFrame = new URLSearchParams(url.split('?')[1]).get('useOnCloseEvent') === 'true'
        if ('error' in client && !wantsCloseFrame) return refuseUpgrade(socket, upgradeRefusal(client.error))
        try {
          completeUpgrade(request, socket, head, client)
          socket.off('error', onError)
        } catch {
          socket.destroy()
        }
      })
    },
    close() {
      stopPings()
      relay.close()
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

/** Pings all clients, and terminates those that have not responded since the last call. */
function pingClients(server: WebSocketServer, responsive: WeakSet<object>): void {
  for (const socket of server.clients) {
    if (!responsive.has(socket)) {
      socket.terminate()
      continue
    }
    responsive.delete(socket)
    socket.ping()
  }
}

/** The minimum length of messages that are sent in fragments, so that their bytes are not copied for each subscriber. */
const sharedLength = 65_536

/** Creates an unmasked text frame (RFC 6455, section 5.2). Returns `undefined` for long messages. */
function textFrame(parts: readonly (string | Buffer)[]): Buffer | undefined {
  let length = 0
  for (const part of parts) length += Buffer.byteLength(part)
  if (length >= sharedLength) return undefined
  const start = length < 126 ? 2 : 4
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = 0x81
  if (start === 2) frame[1] = length
  else {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  }
  let at = start
  for (const part of parts) at += typeof part === 'string' ? frame.write(part, at) : part.copy(frame, at)
  return frame
}

/** Returns the length of a received frame that contains `length` bytes, with its header and its mask (RFC 6455, section 5.2). */
function receivedFrameLength(length: number): number {
  return length + (length < 126 ? 6 : length < 65_536 ? 8 : 14)
}

type AuthResult = { readonly client: RelayClient } | { readonly error: unknown }

function upgradeRefusal(error: unknown): Parameters<typeof refuseUpgrade>[1] {
  if (!(error instanceof AuthError)) return { status: 503, reason: 'The relay failed', retryAfterS: 5 }
  const retryAfterS = error.status === 429 ? 60 : undefined
  return { status: error.status, reason: error.message, retryAfterS }
}

function everyMs(ms: number, task: () => void): () => void {
  const timer = setInterval(task, ms)
  timer.unref()
  return () => clearInterval(timer)
}
