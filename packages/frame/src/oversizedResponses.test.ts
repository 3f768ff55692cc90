import { frameTexts } from '@latchkey/protocol/frame/messages'
import { getMe, postEmailDevice } from '@latchkey/protocol/http/keys'
import { afterEach, expect, test, vi } from 'vitest'
import { createKeysApiClient } from './keysApiClient.ts'
import { createChainRpcClient } from './networks/chainRpcClient.ts'
import { createBundler } from './smartAccount/bundler.ts'

const chunk = new Uint8Array(1_000_000).fill(0x20)
afterEach(() => void vi.restoreAllMocks())

/** Creates a `fetch` whose responses start as JSON and never end. `read` is the number of bytes read from the last response. */
function endless(status = 200) {
  const seen = { read: 0, closed: false }
  const fetch: typeof globalThis.fetch = async () => {
    seen.read = 0
    seen.closed = false
    return new Response(
      new ReadableStream({
        async pull(controller) {
          // Yields between chunks, as a real network does.
          await new Promise((resolve) => setImmediate(resolve))
          seen.read += chunk.length
          controller.enqueue(chunk)
        },
        cancel() {
          seen.closed = true
        },
      }),
      { status },
    )
  }
  return { fetch, seen }
}

test.each<[string, (fetch: typeof globalThis.fetch) => Promise<unknown>, string | undefined, number]>([
  ['the keys origin', (fetch) => createKeysApiClient({ fetch })(getMe), frameTexts.serverAway, 5],
  [
    'an RPC node',
    (fetch) => createChainRpcClient({ fetch })('eip155:1', 'eth_call', []),
    'The network cannot be reached',
    11,
  ],
  [
    'a bundler',
    // If the bundler returns no fees, the node's fees are used.
    (fetch) => createBundler({ fetch, chain: 'eip155:1', page: 'https://shop.example' }).fees(),
    undefined,
    5,
  ],
])('reads an endless response from %s up to a limit and then rejects it', async (_, ask, sentence, megabytes) => {
  for (const status of [200, 502]) {
    const { fetch, seen } = endless(status)
    expect(await ask(fetch).catch(({ message }: Error) => message)).toBe(sentence)
    await expect.poll(() => seen.closed).toBe(true)
    expect(seen.read / 1_000_000).toBeLessThanOrEqual(megabytes + 2)
  }
})

test.each<[string, (fetch: typeof globalThis.fetch) => Promise<unknown>, number]>([
  ['a request to the keys origin', (fetch) => createKeysApiClient({ fetch })(getMe), 15_000],
  [
    'a long-polling request to the keys origin',
    (fetch) => createKeysApiClient({ fetch })(postEmailDevice, { signal: new AbortController().signal }),
    60_000,
  ],
  ['a request to an RPC node', (fetch) => createChainRpcClient({ fetch })('eip155:1', 'eth_call', []), 60_000],
])('%s has a timeout that also covers the response body', async (_, ask, limitMs) => {
  const late = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  let begun = (): void => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  // As in a browser, aborting the request's signal also aborts the body.
  const slow: typeof globalThis.fetch = async (_input, init) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{'))
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
          begun()
        },
      }),
    )
  const request = ask(slow)
  const failed = expect(request).rejects.toThrow()
  await hasBegun
  late.abort(new DOMException('timed out', 'TimeoutError'))
  await failed
  expect(timeout).toHaveBeenCalledWith(limitMs)
})
