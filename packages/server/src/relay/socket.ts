import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type Door, DoorError, greetingOf } from './door.ts'
import { type Relay, relayLimits } from './relay.ts'

/** How often a connection is asked for a sign of life. */
const pingMs = 30_000
/** Frames of one connection that may wait for their turn before no more are read. */
const waitingMost = 32
/** Bytes that may wait for a client that does not read. Its letters wait in their mailboxes. */
const unreadMost = 16_777_216

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
}: {
  relay: Pick<Relay, 'accept' | 'close'>
  door: Pick<Door, 'admit'>
  /** The network address of whoever asks. */
  addressOf(request: IncomingMessage): string | undefined
  /** [the machine's clock] Runs a task again and again, until the answer is called. */
  every?: (ms: number, task: () => void) => () => void
}): RelaySockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: relayLimits.frame, perMessageDeflate: false })
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

  const take = (request: IncomingMessage, socket: Duplex, head: Buffer, guest: ReturnType<Door['admit']>): void =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      alive.add(client)
      let waiting = 0
      const seat = relay.accept(
        {
          send(text) {
            if (client.readyState !== client.OPEN) return
            if (client.bufferedAmount > unreadMost) client.terminate()
            else client.send(text)
          },
          close: (code, reason) => client.close(code, reason),
        },
        guest,
      )
      client.on('pong', () => alive.add(client))
      client.on('message', (data, isBinary) => {
        alive.add(client)
        if (isBinary) return
        waiting += 1
        if (waiting === waitingMost) client.pause()
        void seat.text(String(data)).finally(() => {
          waiting -= 1
          if (client.isPaused && waiting < waitingMost / 2) client.resume()
        })
      })
      client.on('close', () => seat.gone())
      // What the socket has to say comes with `close`.
      client.on('error', () => {})
    })

  return {
    upgrade(request, socket, head) {
      const headers = { get: (name: string) => [request.headers[name]].flat()[0] }
      const url = request.url ?? '/'
      const guest = door.admit(greetingOf({ url, headers }, addressOf(request)))
      // A browser learns nothing of a failed upgrade; whoever cannot read close frames asks for one.
      if (new URLSearchParams(url.split('?')[1]).get('useOnCloseEvent') === 'true') {
        take(request, socket, head, guest)
        return
      }
      const hungUp = (): void => void socket.destroy()
      socket.once('error', hungUp)
      guest.then(
        () => {
          socket.off('error', hungUp)
          if (!socket.destroyed) take(request, socket, head, guest)
        },
        (error: unknown) => {
          const [status, reason] =
            error instanceof DoorError ? [error.status, error.message] : [500, 'The relay failed']
          // Destroyed once that is out: a client that keeps its own half open would keep ours, too.
          socket.end(
            `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
              `content-length: ${Buffer.byteLength(reason)}\r\nconnection: close\r\n\r\n${reason}`,
            hungUp,
          )
        },
      )
    },
    close() {
      stopPings()
      relay.close()
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}

function everyMs(ms: number, task: () => void): () => void {
  const timer = setInterval(task, ms)
  timer.unref()
  return () => clearInterval(timer)
}
