import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpPost } from './postToNode.ts'

async function node(answer: RequestListener) {
  const seen = { sockets: new Set<unknown>(), requests: [] as { body: string; headers: Record<string, unknown> }[] }
  const listener = createServer(async (request, response) => {
    seen.sockets.add(request.socket)
    let body = ''
    for await (const chunk of request) body += chunk
    seen.requests.push({ body, headers: request.headers })
    answer(request, response)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => void listener.close().closeAllConnections())
  const post = createHttpPost()
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/key?a=b`
  const controller = new AbortController()
  const send = (options: Partial<Parameters<typeof post>[2]> = {}, target = url) =>
    post(target, '{"id":"é"}', {
      signal: controller.signal,
      maxBytes: 1_000,
      onBytes: () => {},
      isAnswer: (status) => status === 200,
      ...options,
    })
  return { send, seen, controller, url }
}

test('sends no information about the server or its clients, and reuses the connection', async () => {
  const { send, seen } = await node((request, response) => response.end(`{"path":"${request.url} ü"}`))
  expect(await send()).toBe('{"path":"/key?a=b ü"}')
  expect(await send()).toBe('{"path":"/key?a=b ü"}')
  const { host: _, ...headers } = seen.requests[0]?.headers ?? {}
  expect(headers).toEqual({
    'content-type': 'application/json',
    'content-length': '11',
    accept: 'application/json',
    'accept-encoding': 'identity',
    connection: 'keep-alive',
  })
  expect(seen.requests.map(({ body }) => body)).toEqual(['{"id":"é"}', '{"id":"é"}'])
  expect(seen.sockets.size).toBe(1)
})

test('does not follow redirects', async () => {
  const elsewhere = await node((_, response) => response.end('{"secret":true}'))
  const { send } = await node((_, response) => response.writeHead(307, { location: elsewhere.url }).end())
  expect(await send()).toBeUndefined()
  expect(elsewhere.seen.requests).toEqual([])
})

test.each<[string, RequestListener]>([
  ['has a rejected status', (_, response) => response.writeHead(500).end('{}')],
  [
    'declares a length that exceeds the limit',
    (_, response) => response.writeHead(200, { 'content-length': 1_001 }).write('{'),
  ],
  [
    'is too long',
    (_, response) => {
      response.write('x')
      response.end('x'.repeat(1_000))
    },
  ],
  ['never ends and is too long', (_, response) => response.write('x'.repeat(2_000))],
  [
    'is compressed',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(`"${'a'.repeat(9_000)}"`)),
  ],
])('resolves to undefined if the response %s', async (_, answer) => {
  const { send } = await node(answer)
  expect(await send()).toBeUndefined()
})

test.each<[string, RequestListener]>([
  ['closes the connection', (request) => request.socket.destroy()],
  [
    'ends its response early',
    (request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{}', () => request.socket.destroy())
    },
  ],
  [
    'switches protocols',
    (request) => request.socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ],
  ['does not speak HTTP', (request) => request.socket.end('SSH-2.0-x\r\n')],
])('rejects if the node %s', async (_, answer) => {
  const { send } = await node(answer)
  await expect(send()).rejects.toThrow()
})

test('rejects with the abort reason, whether the signal is aborted before the call or during the response', async () => {
  const { send, controller } = await node((_, response) => {
    response.write('{')
    controller.abort(new Error('too late'))
  })
  await expect(send()).rejects.toThrow('too late')
  await expect(send()).rejects.toThrow('too late')
})

test('rejects with the error that `onBytes` throws', async () => {
  const { send } = await node((_, response) => response.end('{}'))
  const onBytes = (bytes: number): void => {
    throw new Error(`${bytes} bytes are too many`)
  }
  await expect(send({ onBytes })).rejects.toThrow('2 bytes are too many')
})

test('rejects URLs with credentials', async () => {
  const { send, seen, url } = await node((_, response) => response.end('{}'))
  await expect(send({}, url.replace('//', '//user:secret@'))).rejects.toThrow('credentials')
  expect(seen.requests).toEqual([])
})
