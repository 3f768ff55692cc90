import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createListener, type ListenerLimits } from './httpListener.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

const short: ListenerLimits = {
  headersTimeoutMs: 200,
  requestTimeoutMs: 300,
  keepAliveTimeoutMs: 60_000,
  maxRequestsPerSocket: 1_000,
  maxConnections: 1_000,
}

async function listen(limits: Partial<ListenerLimits> = {}) {
  const listener = createListener({
    fetch: async (request) => new Response(await request.text()),
    upgrade: (_, socket) => void socket.destroy(),
    limits: { ...short, ...limits },
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  closings.push(async () => {
    listener.closeAllConnections()
    listener.close()
  })
  const { port } = listener.address() as AddressInfo
  const open = (text: string): Socket => {
    const socket = connect(port, '127.0.0.1', () => void (text && socket.write(text)))
    return socket.on('error', () => {}).resume()
  }
  const count = () => new Promise((resolve) => listener.getConnections((_, connections) => resolve(connections)))
  return { open, count, port }
}

const halfSent: readonly string[] = [
  '',
  'G',
  'GET / HTTP/1.1\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nX-A',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nsome of it',
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel',
]

test('createListener closes the connections of hundreds of incomplete requests, wherever each request breaks off', async () => {
  const { open, count } = await listen()
  const sockets = Array.from({ length: 300 }, (_, nth) => open(halfSent[nth % halfSent.length] as string))
  await Promise.all(sockets.map((socket) => once(socket, 'close')))
  expect(await count()).toBe(0)
})

test.each([
  ['a request', ''],
  ['an upgrade', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
])('rejects %s with two Host headers, because a proxy and the server might use different ones', async (_, more) => {
  const { open } = await listen()
  const socket = open(`GET / HTTP/1.1\r\nHost: shop.example\r\nhOST: keys.shop.example\r\n${more}\r\n`)
  let text = ''
  socket.on('data', (data) => {
    text += String(data)
  })
  await once(socket, 'close')
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toMatch(/A request must have only one Host header$/)
})

test('an upgrade and a request with several other headers are accepted', async () => {
  const { open } = await listen()
  const replies: Promise<string>[] = ['GET', 'UPGRADE'].map(async (kind) => {
    const more = kind === 'GET' ? 'Connection: close\r\n' : 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    const socket = open(`GET / HTTP/1.1\r\nHost: shop.example\r\nAccept: x\r\nHosts: y\r\n${more}\r\n`)
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
    })
    await once(socket, 'close')
    return text
  })
  const [request, upgrade] = await Promise.all(replies)
  expect(request).toMatch(/^HTTP\/1\.1 200 /)
  // The `upgrade` handler in `listen` destroys the socket without responding.
  expect(upgrade).toBe('')
})

test('createListener closes a connection after a limited number of requests', async () => {
  const { open } = await listen({ maxRequestsPerSocket: 2 })
  const socket = open('')
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  let text = ''
  socket.on('data', (data) => {
    text += String(data)
    if (!socket.destroyed) socket.write(request)
  })
  socket.write(request)
  await once(socket, 'close')
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  expect(text).toMatch(/connection: close/i)
})

test('createListener does not read the rest of a long body after responding', async () => {
  const listener = createListener({
    fetch: async () => new Response('too much', { status: 429 }),
    upgrade: () => {},
    limits: { ...short, requestTimeoutMs: 60_000 },
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const accepted = once(listener, 'connection') as Promise<[Socket]>
  const { port } = listener.address() as AddressInfo
  const client = connect(port, '127.0.0.1', () => {
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n')
    client.write(Buffer.alloc(50_000_000))
  }).on('error', () => {})
  const [server] = await accepted
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 429 /)
  await new Promise((resolve) => client.resume().once('close', resolve))
  expect(server.bytesRead).toBeLessThan(1_000_000)
  listener.close()
})

test('createListener limits the number of connections', async () => {
  const { open, count } = await listen({ maxConnections: 2, headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 })
  const sockets = [open(''), open('')]
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await once(open(''), 'close')
  expect(await count()).toBe(2)
  for (const socket of sockets) socket.destroy()
})

test.each([
  ['one request', 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['several pipelined requests', 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30)],
])('createListener calls the onSent callback even if the connection has already closed: %s', async (_, text) => {
  const releases: (() => void)[] = []
  let open = 0
  let isOver = (): void => {}
  const over = new Promise<void>((resolve) => {
    isOver = resolve
  })
  const listener = createListener({
    fetch: async (_, { onSent }) => {
      open += 1
      await new Promise<void>((resolve) => releases.push(resolve))
      onSent?.(() => {
        open -= 1
        if (open === 0) isOver()
      })
      return new Response('late')
    },
    upgrade: () => {},
    limits: short,
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const accepted = once(listener, 'connection') as Promise<[Socket]>
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1', () => client.write(text)).on(
    'error',
    () => {},
  )
  const [server] = await accepted
  const requests = text.split('GET').length - 1
  while (releases.length < requests) await new Promise((resolve) => setImmediate(resolve))
  const closed = new Promise((resolve) => server.once('close', resolve))
  client.resetAndDestroy()
  await closed
  for (const end of releases) end()
  await over
  listener.close()
})
