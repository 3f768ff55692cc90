import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type Relay, relayLimits } from './relay.ts'

/** How often a connection is asked for a sign of life. */
const pingMs = 30_000

/** Takes WebSocket connections of a Node listener in. */
export interface RelaySockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** WebSocket connections for a relay. */
export function relaySockets(relay: Relay): RelaySockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: relayLimits.frame, perMessageDeflate: false })
  const alive = new WeakSet<object>()
  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!alive.has(socket)) {
        socket.terminate()
        continue
      }
      alive.delete(socket)
      socket.ping()
    }
  }, pingMs)
  pings.unref()

  return {
    upgrade(request, socket, head) {
      const { searchParams } = new URL(request.url ?? '/', 'http://relay')
      sockets.handleUpgrade(request, socket, head, (client) => {
        alive.add(client)
        const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
        const seat = relay.accept(
          {
            send: (text) => client.readyState === client.OPEN && client.send(text),
            close: (code, reason) => client.close(code, reason),
          },
          {
            auth: searchParams.get('auth') ?? bearer,
            projectId: searchParams.get('projectId') ?? undefined,
            origin: request.headers.origin,
            host: request.headers.host,
          },
        )
        client.on('pong', () => alive.add(client))
        client.on('message', (data, isBinary) => {
          alive.add(client)
          if (!isBinary) seat.text(String(data))
        })
        client.on('close', () => seat.gone())
        // What the socket has to say comes with `close`.
        client.on('error', () => {})
      })
    },
    close() {
      clearInterval(pings)
      relay.close()
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}
