import type { Server as NodeServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Ends the connections of a listener, those without a request at once. */
export interface Drain {
  /**
   * Takes no new connections, closes the idle ones, lets open requests end with `Connection: close`, and says whether all
   * of them ended within `timeoutMs`; what is left then is cut off.
   */
  close(timeoutMs: number): Promise<boolean>
}

/**
 * Follows the connections of a listener. Node's own `closeIdleConnections` leaves alone those that have not sent anything
 * yet, as browsers and balancers open them in advance: each would stretch the stop to its time limit.
 */
export function createDrain(listener: NodeServer): Drain {
  const requests = new Map<Socket, number>()
  const responses = new Set<ServerResponse>()
  let isClosing = false

  listener.on('connection', (socket: Socket) => {
    requests.set(socket, 0)
    socket.once('close', () => requests.delete(socket))
  })
  // Whoever took it over ends it.
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
