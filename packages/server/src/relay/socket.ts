import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type Door, DoorError, type Guest, greetingOf } from './door.ts'
import { type Relay, relayLimits } from './relay.ts'
import { refuseUpgrade } from './upgrade.ts'

/** How often a connection is asked for a sign of life. */
const pingMs = 30_000
/** Frames of one connection, and their bytes, that may wait for their turn before no more are read. */
const maxWaiting = { frames: 32, bytes: 524_288 } as const
/** How much a client that was told to go may still send, and how long it may take to say goodbye. */
const lateBytes = 65_536
const closeTimeoutMs = 5_000

/** Takes WebSocket connections of a Node listener in. */
export interface RelaySockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** WebSocket connections for a relay. */
export function relaySockets({
  relay,
  door,
  addressOf,
  every = everyMs,
  handshakeTimeoutMs = 10_000,
}: {
  relay: Pick<Relay, 'accept' | 'close'>
  door: Pick<Door, 'admit'>
  /** The network address of whoever asks. */
  addressOf(request: IncomingMessage): string | undefined
  /** [the machine's clock] Runs a task again and again, until the answer is called. */
  every?: (ms: number, task: () => void) => () => void
  /** How long an upgrade may take until it is made or refused. */
  handshakeTimeoutMs?: number
}): RelaySockets {
  const options = {
    noServer: true,
    maxPayload: relayLimits.frame,
    perMessageDeflate: false,
    // Many small parts of one message take more memory than the message.
    maxFragments: 256,
    maxBufferedChunks: 4_096,
    closeTimeout: closeTimeoutMs,
  }
  const sockets = new WebSocketServer(options)
  // What is wrong with a handshake itself is found by the library, which then calls nobody back.
  sockets.on('wsClientError', ({ message }, socket) => refuseUpgrade(socket, { status: 400, reason: message }))
  const alive = new WeakSet<object>()
  const stopPings = every(pingMs, () => {
    for (const socket of sockets.clients) {
      if (!alive.has(socket)) {
        socket.terminate()
        continue
      }
      alive.delete(socket)
      socket.ping()
    }
  })

  const take = (request: IncomingMessage, socket: Duplex, head: Buffer, guest: Settled): void =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      alive.add(client)
      const waiting = { frames: 0, bytes: 0 }
      const connection = relay.accept(
        {
          send(...parts) {
            if (client.readyState !== client.OPEN) return
            // As text, a fragment for each part.
            for (const [at, part] of parts.entries())
              client.send(part, { binary: false, fin: at === parts.length - 1 }, () => connection.unreadChanged())
            // Only what could not be handed to the system at once waits.
            if (client.bufferedAmount > 0) connection.unreadChanged()
          },
          close: (code, reason) => client.close(code, reason),
          terminate: () => client.terminate(),
          unread: () => client.bufferedAmount,
        },
        'error' in guest ? Promise.reject(guest.error) : Promise.resolve(guest.guest),
      )
      client.on('pong', () => alive.add(client))
      client.on('message', (data, isBinary) => {
        alive.add(client)
        // Whoever was told to go is not listened to while they leave.
        if (isBinary || client.readyState !== client.OPEN) return
        const { length } = data as Buffer
        waiting.frames += 1
        waiting.bytes += length
        if (waiting.frames >= maxWaiting.frames || waiting.bytes >= maxWaiting.bytes) client.pause()
        void connection.text(data as Buffer).finally(() => {
          waiting.frames -= 1
          waiting.bytes -= length
          if (client.isPaused && waiting.frames <= maxWaiting.frames / 2 && waiting.bytes < maxWaiting.bytes)
            client.resume()
        })
      })
      let late = 0
      // After the library's own listener: whole messages are counted by then, the rest is a part of one.
      socket.on('data', ({ length }: Buffer) => {
        if (client.readyState === client.OPEN) return connection.incoming(length)
        // The library still puts messages together: whoever goes on sending instead of saying goodbye is cut off.
        late += length
        if (late > lateBytes) client.terminate()
      })
      client.on('close', () => connection.gone())
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
      const over = (): void => clearTimeout(late)
      // A socket that breaks while it waits says so here; without a listener that would end the process.
      const broken = (): void => void socket.destroy()
      socket.on('error', broken)
      socket.once('close', over)
      if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket')
        return refuseUpgrade(socket, { status: 400, reason: 'This is no WebSocket handshake' })

      const url = request.url ?? '/'
      const headers = { get: (name: string) => [request.headers[name]].flat()[0] }
      // Settled, never rejected: whatever becomes of the socket, nobody is left with an error to catch.
      const settled: Promise<Settled> = door.admit(greetingOf({ url, headers }, addressOf(request))).then(
        (guest) => ({ guest }),
        (error: unknown) => ({ error }),
      )
      void settled.then((guest) => {
        over()
        if (socket.destroyed || socket.writableEnded) return
        // A browser learns nothing of a failed upgrade; whoever cannot read close frames asks for one.
        const asksForCloseFrame = new URLSearchParams(url.split('?')[1]).get('useOnCloseEvent') === 'true'
        if ('error' in guest && !asksForCloseFrame) return refuseUpgrade(socket, refusalOf(guest.error))
        try {
          take(request, socket, head, guest)
          socket.off('error', broken)
        } catch {
          socket.destroy()
        }
      })
    },
    close() {
      stopPings()
      relay.close()
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}

type Settled = { readonly guest: Guest } | { readonly error: unknown }

function refusalOf(error: unknown): Parameters<typeof refuseUpgrade>[1] {
  if (!(error instanceof DoorError)) return { status: 503, reason: 'The relay failed', retryAfterS: 5 }
  const retryAfterS = error.status === 429 ? 60 : undefined
  return { status: error.status, reason: error.message, retryAfterS }
}

function everyMs(ms: number, task: () => void): () => void {
  const timer = setInterval(task, ms)
  timer.unref()
  return () => clearInterval(timer)
}
