import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { maxAnswerBytes, readBody, readJsonBody } from './readResponseBody.ts'

/**
 * A server whose responses never end. `closed()` resolves once the connection for the last response has closed, and `sent()`
 * returns the number of bytes sent in that response.
 */
interface EndlessServer {
  readonly url: string
  sent(): number
  closed(): Promise<void>
  close(): Promise<void>
}

/** Starts a server that responds with status 200, a JSON content type and an endless body. */
async function endlessServer(): Promise<EndlessServer> {
  const chunk = Buffer.alloc(65_536, ' ')
  let bytes = 0
  let ended: Promise<void> = Promise.resolve()
  const server = createServer((_, answer) => {
    bytes = 0
    ended = new Promise((resolve) => answer.once('close', () => resolve()))
    answer.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    const send = (): void => {
      while (!answer.destroyed) {
        bytes += chunk.length
        if (!answer.write(chunk)) return
      }
    }
    answer.on('drain', send)
    answer.write('{"result":"')
    send()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => bytes,
    closed: () => ended,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

test('an endless response is read up to the limit, and then the connection is closed', async () => {
  const { url, sent, closed, close } = await endlessServer()
  expect(await readBody(await fetch(url))).toBeUndefined()
  await closed()
  // More than the limit may have been sent, because the reader stops while data is still in buffers and in transit.
  expect(sent()).toBeLessThan(4 * maxAnswerBytes)
  expect(await readJsonBody(await fetch(url), 1_000)).toBeUndefined()
  await close()
})

test('a response of exactly the maximum size is read, but a response that is one byte larger is not', async () => {
  expect(await (await readBody(new Response('12345'), { maxBytes: 5 }))?.text()).toBe('12345')
  expect(await readBody(new Response('123456'), { maxBytes: 5 })).toBeUndefined()
  expect((await readBody(new Response(null)))?.size).toBe(0)
})

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['"ü"', 'ü'],
  ['', undefined],
  ['{"a":', undefined],
  ['<!doctype html>', undefined],
])('readJsonBody parses %j, or resolves to undefined if it is not JSON', async (text, json) => {
  expect(await readJsonBody(new Response(text))).toEqual(json)
})

test('if the connection drops, readBody rejects and readJsonBody resolves to undefined', async () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"a":1'))
          controller.error(new TypeError('network error'))
        },
      }),
    )
  await expect(readBody(broken())).rejects.toThrow('network error')
  expect(await readJsonBody(broken())).toBeUndefined()
})
