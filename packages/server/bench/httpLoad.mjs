// Sends requests over keep-alive connections, one at a time on each. Runs in a separate process. Reads only the length of each
// response, because a client that uses more processor time than the server would hide differences between servers.

import { connect } from 'node:net'

process.on('message', async (given) => process.send(await load(given)))
process.on('disconnect', () => process.exit())

/**
 * Sends `requests` in turn for `ms` milliseconds. Returns the number of responses, their rate per second and the 99th percentile
 * of the response times.
 */
async function load({ port, requests, connections, ms }) {
  const texts = requests.map(({ method = 'GET', path, body = '' }) =>
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`,
    ),
  )
  const times = []
  let at = 0
  const started = performance.now()
  const until = started + ms
  const next = () => texts[at++ % texts.length]
  await Promise.all(Array.from({ length: connections }, () => exchange({ port, next, times, until })))
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  return { perSecond: times.length / seconds, count: times.length, p99: times[Math.floor(times.length * 0.99)] }
}

function exchange({ port, next, times, until }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    /** The number of bytes that have yet to arrive. -1 until the headers are complete, -2 while a chunked body is being read. */
    let missing = -1
    let head = ''
    const send = () => {
      sentAt = performance.now()
      missing = -1
      head = ''
      socket.write(next())
    }
    const answered = () => {
      const now = performance.now()
      times.push(now - sentAt)
      if (now < until) return send()
      socket.destroy()
      resolve()
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed a connection')))
    socket.on('data', (chunk) => {
      if (missing === -1) {
        head += chunk.latin1Slice(0, Math.min(chunk.length, 4_096))
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!/^HTTP\/1\.1 200 /.test(head)) return socket.destroy(new Error(head.slice(0, 200)))
        const length = /content-length: (\d+)/i.exec(head)
        missing = length ? Number(length[1]) - (chunk.length - (end + 4)) : -2
      } else if (missing > 0) missing -= chunk.length
      // A chunked body ends with an empty chunk.
      const isOver = missing === -2 ? chunk.subarray(-5).equals(lastChunk) : missing <= 0
      if (isOver) answered()
    })
  })
}

const lastChunk = Buffer.from('0\r\n\r\n')
