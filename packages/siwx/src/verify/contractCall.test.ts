import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { callThrough, contractAnswer } from './contractCall.ts'

const chain = 'eip155:1'
const requests = { chain, to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', data: '0x1626ba7e' }
const through = (answer: typeof fetch) =>
  callThrough({ rpcUrl: () => 'https://rpc.example/key', fetch: answer })(requests)
const respondWith = (body: unknown, status = 200) => through(async () => Response.json(body, { status }))

// The errors that different node implementations return.
test.each([
  { code: 3, message: 'execution reverted', data: '0x' },
  { code: 3, message: 'execution reverted: not mine' },
  { code: 3, message: 'the call failed' },
  { code: -32000, message: 'execution reverted' },
  { code: -32000, message: 'invalid opcode: INVALID' },
  { code: -32000, message: 'invalid jump destination' },
  { code: -32000, message: 'out of gas' },
  { code: -32000, message: 'stack underflow (0 <=> 1)' },
  { code: -32015, message: 'VM execution error.' },
  { code: -32603, message: 'Error: VM Exception while processing transaction: reverted' },
  { code: -32003, message: 'EVM error: StackOverflow' },
])('a call resolves to undefined if the contract’s code failed: $message', async (error) => {
  expect(await respondWith({ jsonrpc: '2.0', id: 1, error })).toBeUndefined()
  // Some nodes also use an HTTP error status.
  expect(await respondWith({ jsonrpc: '2.0', id: 1, error }, 500)).toBeUndefined()
})

test.each<[fault: string, act: () => Promise<unknown>, words: RegExp]>([
  ['a rate limit', () => respondWith({ error: { code: -32005, message: 'rate limited' } }), /rate limited/],
  [
    'a node that is not synchronized',
    () => respondWith({ error: { code: -32000, message: 'header not found' } }),
    /header not found/,
  ],
  ['an error without a message', () => respondWith({ error: {} }), /error 0/],
  [
    'an HTML page from a gateway',
    () => through(async () => new Response('<html>Bad gateway', { status: 502 })),
    /the response is invalid/,
  ],
  [
    'a long page from a gateway',
    () => through(async () => new Response('x'.repeat(1e6), { status: 502 })),
    /the response is invalid/,
  ],
  ['an empty response', () => through(async () => new Response(null)), /the response is invalid/],
  ['a null result', () => respondWith({ result: null }), /the response is invalid/],
  ['no network', () => through(async () => Promise.reject(new TypeError('Failed to fetch'))), /cannot be reached/],
  ['no URL for the chain', () => callThrough({ rpcUrl: () => undefined })(requests), /no RPC URL/],
])('a call that has no result rejects with an error that contains the chain ID: %s', async (_, act, words) => {
  const error: unknown = await act().catch((thrown: unknown) => thrown)
  expect(isLatchkeyError(error) && error.code).toBe('sign-in/no-node')
  expect(String(error)).toMatch(words)
  expect(String(error)).toContain(chain)
  // An RPC URL can contain an API key.
  expect(String(error)).not.toContain('rpc.example')
})

test('a call times out if the node never responds', async () => {
  const call = callThrough({
    rpcUrl: () => 'https://rpc.example',
    timeoutMs: 1,
    fetch: (_, init) => new Promise((__, no) => init?.signal?.addEventListener('abort', () => no(init.signal?.reason))),
  })
  await expect(call(requests)).rejects.toMatchObject({ code: 'sign-in/no-node' })
})

test('a response of several megabytes is read only up to a limit and is not accepted', async () => {
  let read = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += 10_000
      controller.enqueue(new Uint8Array(10_000).fill(0x30))
    },
  })
  expect(await through(async () => new Response(endless))).toBeUndefined()
  expect(read).toBeLessThan(200_000)
})

test('if the call has no `to`, its code is sent without an address, and only to the RPC URL for its chain', async () => {
  const seen: unknown[] = []
  const call = callThrough({
    rpcUrl: (id) => `https://rpc.example/${id}`,
    async fetch(url, init) {
      seen.push(String(url), JSON.parse(String(init?.body)))
      return Response.json({ jsonrpc: '2.0', id: 1, result: '0x01' })
    },
  })
  expect(await call({ chain: 'eip155:10', data: '0x60' })).toBe('0x01')
  expect(seen).toEqual([
    'https://rpc.example/eip155:10',
    { id: 1, jsonrpc: '2.0', method: 'eth_call', params: [{ data: '0x60' }, 'latest'] },
  ])
})

test('contractAnswer() returns the result, returns undefined if the contract’s code failed, and otherwise throws', () => {
  expect(contractAnswer({ chain, answer: { result: '0xab' } })).toBe('0xab')
  expect(contractAnswer({ chain, answer: { error: { code: 3, message: 'execution reverted' } } })).toBeUndefined()
  expect(() => contractAnswer({ chain, answer: undefined })).toThrow(chain)
})
