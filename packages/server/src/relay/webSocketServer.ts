import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { AuthError, type Authenticator, handshakeOf, type RelayClient } from './authenticator.ts'
import { refuseUpgrade } from './refuseUpgrade.ts'
import { type Relay, relayLimits } from './relay.ts'

/** How often a connection is asked for a sign of life. */
const pingMs = 30_000
/** Frames of one connection, and their bytes, that may wait for their turn before no more are read. */
const maxQueued = { frames: 32, bytes: 524_288 } as const
/** How much a client that was told to go may still send, and how long it may take to say goodbye. */
const maxBytesAfterClose = 65_536
const closeTimeoutMs = 5_000

/** Takes WebSocket connections of a Node listener in. */
export interface RelayWebSocketServer {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** WebSocket connections for a relay. */
export function createRelayWebSocketServer({
  relay,
  authenticator,
  clientAddressOf,
  every = everyMs,
  handshakeTimeoutMs = 10_000,
}: {
  relay: Pick<Relay, 'accept' | 'close'>
  authenticator: Pick<Authenticator, 'authenticate'>
  /** The network address of whoever asks. */
  clientAddressOf(request: IncomingMessage): string | undefined
  /** [the machine's clock] Runs a task again and again, until the answer is called. */
  every?: (ms: number, task: () => void) => () => void
  /** How long an upgrade may take until it is made or refused. */
  handshakeTimeoutMs?: number
}): RelayWebSocketServer {
  const options = {
    noServer: true,
    maxPayload: relayLimits.maxFrameBytes,
    perMessageDeflate: false,
    // Many small parts of one message take more memory than the message.
    maxFragments: 256,
    maxBufferedChunks: 4_096,
    closeTimeout: closeTimeoutMs,
  }
  const server = new WebSocketServer(options)
  // What is wrong with a handshake itself is found by the library, which then calls nobody back.
  server.on('wsClientError', ({ message }, socket) => refuseUpgrade(socket, { status: 400, reason: message }))
  const responsive = new WeakSet<object>()
  const stopPings = every(pingMs, () => {
    for (const socket of server.clients) {
      if (!responsive.has(socket)) {
        socket.terminate()
        continue
      }
      responsive.delete(socket)
      socket.ping()
    }
  })

  const completeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, guest: AuthResult): void =>
    server.handleUpgrade(request, socket, head, (client) => {
      responsive.add(client)
      const queued = { frames: 0, bytes: 0 }
      const connection = relay.accept(
        {
          send(...parts) {
            if (client.readyState !== client.OPEN) return
            // As text, a fragment for each part.
            for (const [at, part] of parts.entries())
              client.send(part, { binary: false, fin: at === parts.length - 1 }, () => connection.unreadBytesChanged())
            // Only what could not be handed to the system at once waits.
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
        // Whoever was told to go is not listened to while they leave.
        if (isBinary || client.readyState !== client.OPEN) return
        const { length } = data as Buffer
        queued.frames += 1
        queued.bytes += length
        if (queued.frames >= maxQueued.frames || queued.bytes >= maxQueued.bytes) client.pause()
        void connection.receive(data as Buffer).finally(() => {
          queued.frames -= 1
          queued.bytes -= length
          if (client.isPaused && queued.frames <= maxQueued.frames / 2 && queued.bytes < maxQueued.bytes)
            client.resume()
        })
      })
      let late = 0
      // After the library's own listener: whole messages are counted by then, the rest is a part of one.
      socket.on('data', ({ length }: Buffer) => {
        if (client.readyState === client.OPEN) return connection.receivedBytes(length)
        // The library still puts messages together: whoever goes on sending instead of saying goodbye is cut off.
        late += length
        if (late > maxBytesAfterClose) client.terminate()
      })
      client.on('close', () => connection.closed())
      // What the socket has to say comes with `close`.
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
      // A socket that breaks while it waits says so here; without a listener that would end the process.
      const onError = (): void => void socket.destroy()
      socket.on('error', onError)
      socket.once('close', clearHandshakeTimeout)
      if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket')
        return refuseUpgrade(socket, { status: 400, reason: 'This is no WebSocket handshake' })

      const url = request.url ?? '/'
      const headers = { get: (name: string) => [request.headers[name]].flat()[0] }
      // Settled, never rejected: whatever becomes of the socket, nobody is left with an error to catch.
      const authResult: Promise<AuthResult> = authenticator
        .authenticate(handshakeOf({ url, headers }, clientAddressOf(request)))
        .then(
          (client) => ({ client }),
          (error: unknown) => ({ error }),
        )
      void authResult.then((client) => {
        clearHandshakeTimeout()
        if (socket.destroyed || socket.writableEnded) return
        // A browser learns nothing of a failed upgrade; whoever cannot read close frames asks for one.
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
