import { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refuseUpgrade } from './refuseUpgrade.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Creates a socket that records what is written to it. If `reads` is `false`, the client does not read any data. */
function socketOf({ reads = true } = {}) {
  const written: string[] = []
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      if (reads) done()
    },
  })
  const closed = new Promise<void>((resolve) => socket.once('close', resolve))
  return { socket, written, closed }
}

test.each([
  [
    'a bad request, with the supported version',
    { status: 400, reason: 'Größe' },
    'HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 7\r\nsec-websocket-version: 13\r\nconnection: close\r\n\r\nGröße',
  ],
  [
    'a busy relay, with the time until the next attempt',
    { status: 503, reason: 'busy', retryAfterS: 5 },
    'HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 4\r\nretry-after: 5\r\nconnection: close\r\n\r\nbusy',
  ],
  [
    'an unknown path',
    { status: 404, reason: 'Not found' },
    'HTTP/1.1 404 Not Found\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 9\r\nconnection: close\r\n\r\nNot found',
  ],
])('sends a response with the reason and then closes the socket: %s', async (_, refusal, response) => {
  const { socket, written, closed } = socketOf()
  refuseUpgrade(socket, refusal)
  await closed
  expect(written.join('')).toBe(response)
  expect(vi.getTimerCount()).toBe(0)
})

test('after five seconds, closes the socket of a client that does not read the response', async () => {
  const { socket, closed } = socketOf({ reads: false })
  refuseUpgrade(socket, { status: 400, reason: 'x' })
  vi.advanceTimersByTime(4_999)
  expect(socket.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  await closed
  expect(vi.getTimerCount()).toBe(0)
})

test('closes the socket on a socket error, without any other effect', async () => {
  const { socket, closed } = socketOf({ reads: false })
  refuseUpgrade(socket, { status: 400, reason: 'x' })
  socket.emit('error', new Error('reset'))
  await closed
  expect(socket.destroyed).toBe(true)
})

test('if a response has already been sent on a socket, closes the socket without sending a second one', async () => {
  const { socket, written, closed } = socketOf({ reads: false })
  socket.end('HTTP/1.1 503 Busy\r\n\r\n')
  refuseUpgrade(socket, { status: 400, reason: 'x' })
  expect(socket.destroyed).toBe(true)
  await closed
  expect(written.join('')).not.toContain('400')
  expect(vi.getTimerCount()).toBe(0)
})

test('sends no response to a closed socket and leaves no timer running', async () => {
  const { socket, written, closed } = socketOf()
  socket.destroy()
  await closed
  refuseUpgrade(socket, { status: 400, reason: 'x' })
  expect(written).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
