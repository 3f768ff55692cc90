import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { createDrain } from './connectionDrain.ts'

test('close() closes silent and idle connections immediately and lets open requests finish with Connection: close', async () => {
  const waiting: ServerResponse[] = []
  const listener = createServer((incoming, response) => {
    if (incoming.url === '/slow') waiting.push(response)
    else response.end('quick')
  })
  const drain = createDrain(listener)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  const ask = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ agent, host: '127.0.0.1', port, path }, (response) => {
        response.resume()
        response.on('end', () => resolve(response))
      })
        .on('error', reject)
        .end()
    })

  // Like the sockets that browsers and load balancers open in advance, this one has not sent any data.
  const silent = connect(port, '127.0.0.1')
  silent.on('error', () => {})
  const silentEnds = new Promise<void>((resolve) => silent.once('close', () => resolve()))
  await new Promise<void>((resolve) => silent.once('connect', () => resolve()))
  expect((await ask('/quick')).headers.connection).toBe('keep-alive')
  const slow = ask('/slow')
  await expect.poll(() => waiting.length).toBe(1)

  // The timeout is far longer than this test takes.
  const closed = drain.close(3_600_000)
  await silentEnds
  waiting[0]?.end('done')
  expect((await slow).headers.connection).toBe('close')
  expect(await closed).toBe(true)
  agent.destroy()
})

test('close() cuts off requests that exceed the timeout and resolves to false', async () => {
  const listener = createServer(() => {})
  const drain = createDrain(listener)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.on('error', () => {})
  await new Promise<void>((resolve) => listener.once('request', () => resolve()))
  expect(await drain.close(0)).toBe(false)
})

test('a request pipelined behind a pending response is still answered, and then the connection closes', async () => {
  const waiting: ServerResponse[] = []
  const listener = createServer((incoming, response) => {
    if (incoming.url !== '/stream') return void response.end('last')
    // The headers have already been sent, so they cannot announce that the connection will close.
    response.writeHead(200, { 'content-length': '5' })
    response.flushHeaders()
    waiting.push(response)
  })
  const drain = createDrain(listener)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  let received = ''
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.on('data', (data) => {
    received += String(data)
  })
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await expect.poll(() => received).toContain('200 OK')

  const closed = drain.close(3_600_000)
  const requested = new Promise<void>((resolve) => listener.once('request', () => resolve()))
  socket.write('GET /last HTTP/1.1\r\nHost: x\r\n\r\n')
  await requested
  waiting[0]?.end('first')
  await ended
  expect(received).toMatch(/first[\s\S]*Connection: close[\s\S]*last$/)
  expect(await closed).toBe(true)
})
