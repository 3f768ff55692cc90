import type { ReadRequest } from '@latchkey/protocol/frame/messages'
import { expect, test } from 'vitest'
import type { FrameContext } from './frameContext.ts'
import type { Caller } from './messageBridge.ts'
import { createPageRequestHandler } from './pageRequestHandler.ts'
import { createPageSettings } from './pageSettings.ts'

const shop = 'https://shop.example'

/** Creates a frame on `shop`. `stored` contains the values that earlier frames stored for each page. */
function frame({
  origins = [shop],
  stored = {},
  isCrossSite = false,
}: {
  readonly origins?: readonly string[]
  readonly stored?: Record<string, string>
  readonly isCrossSite?: boolean
} = {}) {
  const inFrame: Record<string, string> = {}
  const choices = { get: () => stored[`page:${shop}`], set: (text: string) => void (inFrame.choices = text) }
  const context = {
    config: async () => ({ origins }),
    settings: createPageSettings(new URL('https://keys.example/sdk')),
    store: {
      recall: async (key: string) => stored[key],
      remember: async (key: string, text: string) => void (stored[key] = text),
    },
    crossSite: isCrossSite ? async () => ({ choices }) : undefined,
  } as unknown as FrameContext
  const answer = createPageRequestHandler(context)
  const send = (name: string, payload?: unknown, origin = shop) =>
    answer({ name, id: '1', payload } as ReadRequest, { origin } as Caller)
  return { send, stored, inFrame }
}

test.each<[origins: readonly string[], origin: string, isAllowed: boolean]>([
  [[shop], shop, true],
  [[shop], 'https://other.example', false],
  [['*.example'], 'https://other.example', true],
  [[], shop, false],
  [[], 'http://localhost:5173', true],
])('if the allowed origins are %j, requests from a page at %s are accepted: %s', async (origins, origin, isAllowed) => {
  const response = await frame({ origins })
    .send('GET_CHAIN_ID', undefined, origin)
    .catch((error: Error) => error.message)
  expect(response).toEqual(isAllowed ? { chainId: 1 } : 'This page is not allowed to use the wallet')
})

test('restores a page’s choices before its first request and stores them when they change', async () => {
  const first = frame()
  await first.send('GET_CHAIN_ID')
  expect(first.stored).toEqual({})
  await first.send('SWITCH_NETWORK', { chainId: '10' })
  expect(Object.keys(first.stored)).toEqual([`page:${shop}`])
  expect(await frame({ stored: first.stored }).send('GET_CHAIN_ID')).toEqual({ chainId: 10 })
  // A different page has its own choices.
  const other = frame({ origins: ['*.example'], stored: first.stored })
  expect(await other.send('GET_CHAIN_ID', undefined, 'https://other.example')).toEqual({ chainId: 1 })
})

test('a failed request changes nothing, and the next request succeeds', async () => {
  const { send, stored } = frame()
  await expect(send('SWITCH_NETWORK', { chainId: 'bip122:1' })).rejects.toThrow('This network is not supported')
  expect(stored).toEqual({})
  expect(await send('GET_CHAIN_ID')).toEqual({ chainId: 1 })
})

test('on a cross-site page, stores choices in the frame and only allows logins through a window', async () => {
  const { send, stored, inFrame } = frame({ isCrossSite: true })
  await send('SWITCH_NETWORK', { chainId: '10' })
  expect([stored, Object.keys(inFrame)]).toEqual([{}, ['choices']])
  for (const name of ['CONNECT_EMAIL', 'CONNECT_OTP', 'CONNECT_PASSKEY', 'GET_SOCIAL_REDIRECT_URI', 'UPDATE_EMAIL'])
    await expect(send(name)).rejects.toThrow('CONNECT_WINDOW')
  // On other pages, these requests reach the server, which does not exist in this test.
  await expect(frame().send('UPDATE_EMAIL', { email: 'ada@shop.example' })).rejects.not.toThrow('CONNECT_WINDOW')
})
