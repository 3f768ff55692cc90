import type { Server as NodeServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Closes a listener's connections on shutdown. */
export interface Drain {
  /**
   * Stops accepting connections, closes idle connections and lets open requests finish with `Connection: close`. Resolves to
   * `true` if all requests finish within `timeoutMs`. Otherwise, cuts off the remaining requests and resolves to `false`.
   */
  close(timeoutMs: number): Promise<boolean>
}

/**
 * Tracks a listener's connections so that they can be closed on shutdown. Node's `closeIdleConnections` skips connections that
 * have not sent any data yet, such as those that browsers and load balancers open in advance. Each of them would delay the
 * shutdown until the timeout.
 */
export function createDrain(listener: NodeServer): Drain {
  const requests = new Map<Socket, number>()
  const responses = new Set<ServerResponse>()
  let isClosing = false

  listener.on('connection', (socket: Socket) => {
    requests.set(socket, 0)
    socket.once('close', () => requests.delete(socket))
  })
  // After an upgrade, the upgrade handler is responsible for closing the socket.
  listener.on('upgrade', ({ socket }) => requests.delete(socket))
  listener.prependListener('request', ({ socket }, response) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1)
    responses.add(response)
    if (isClosing) response.shouldKeepAlive = false
    response.once('close', () => {
      responses.delete(response)
      const left = requests.get(socket)
      if (left !== undefined) requests.set(socket, left - 1)
    })
  })

  return {
    close: (timeoutMs) =>
      new Promise((resolve) => {
        isClosing = true
        const timer = setTimeout(() => {
          listener.closeAllConnections()
          resolve(false)
        }, timeoutMs)
        listener.close(() => {
          clearTimeout(timer)
          resolve(true)
        })
        for (const response of responses) if (!response.headersSent) response.shouldKeepAlive = false
        for (const [socket, open] of requests) if (open === 0) socket.destroy()
      }),
  }
}
