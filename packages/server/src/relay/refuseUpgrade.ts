import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long the answer to a refused upgrade may take to leave. */
const refusalMs = 5_000

/** Answers an upgrade that is not made, and ends its socket whether or not the client reads. */
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
  // Destroyed once that is out: a client that keeps its own half open would keep ours, too.
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(reason)}\r\n${retryAfterS === undefined ? '' : `retry-after: ${retryAfterS}\r\n`}` +
      `${status === 400 || status === 426 ? 'sec-websocket-version: 13\r\n' : ''}connection: close\r\n\r\n${reason}`,
    end,
  )
}
