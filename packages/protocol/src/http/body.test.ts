import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { maxAnswerBytes, readBody, readJsonBody } from './body.ts'

/** A server whose every answer has no end. `given` resolves when its client has given up the last one; `sent` is how many bytes that one took. */
interface EndlessServer {
  readonly url: string
  sent(): number
  given(): Promise<void>
  close(): Promise<void>
}

/** Starts one; it answers 200 and says that it sends JSON, which begins well. */
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
    given: () => ended,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

test('an answer without end is read to the limit and no further, and its connection is given up', async () => {
  const { url, sent, given, close } = await endlessServer()
  expect(await readBody(await fetch(url))).toBeUndefined()
  await given()
  // What was under way when the reader stopped waits in buffers.
  expect(sent()).toBeLessThan(4 * maxAnswerBytes)
  expect(await readJsonBody(await fetch(url), 1_000)).toBeUndefined()
  await close()
})

test('an answer of exactly the limit is read whole, and one byte more is not', async () => {
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
])('the JSON of %j', async (text, json) => {
  expect(await readJsonBody(new Response(text))).toEqual(json)
})

test('an answer that breaks off is a failure for who reads its body, and no JSON', async () => {
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
