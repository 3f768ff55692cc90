import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long sending the response to a rejected upgrade can take, in milliseconds. */
const refusalMs = 5_000

/** Responds to a rejected upgrade and closes the socket, even if the client does not read the response. */
export function refuseUpgrade(
  socket: Duplex,
  { status, reason, retryAfterS }: { status: number; reason: string; retryAfterS?: number | undefined },
): void {
  const end = (): void => void socket.destroy()
  socket.on('error', end)
  if (socket.destroyed || !socket.writable) {
    end()
    return
  }
  const timer = setTimeout(end, refusalMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  // The socket is destroyed after the response is sent. Otherwise, a client that never closes its side would keep the connection
  // open.
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(reason)}\r\n${retryAfterS === undefined ? '' : `retry-after: ${retryAfterS}\r\n`}` +
      `${status === 400 ? 'sec-websocket-version: 13\r\n' : ''}connection: close\r\n\r\n${reason}`,
    end,
  )
}
