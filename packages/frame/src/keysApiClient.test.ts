import { frameTexts } from '@latchkey/protocol/frame/messages'
import { getMe, postSignOut } from '@latchkey/protocol/http/keys'
import { expect, test } from 'vitest'
import { createAccountSession } from './accountSession.ts'
import { createKeysApiClient } from './keysApiClient.ts'

const html = '<!doctype html><title>Sign in to the hotel</title>'
const asHtml = { headers: { 'content-type': 'text/html' } }
const response = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code, message: 'x' }, { status, headers })

function session(answer: () => Response | Promise<Response>) {
  const left: string[] = []
  const keysClient = createKeysApiClient({ fetch: async () => answer() })
  return { left, ...createAccountSession({ keysClient, onSignedOut: () => left.push('left') }) }
}

test.each<[string, () => Response | Promise<Response>]>([
  ['a 500 response with our body', () => response(500, 'server/failed')],
  ['a 503 response with our body', () => response(503, 'server/failed')],
  ['a 500 response with the error code that belongs to a 401 response', () => response(500, 'session/none')],
  ['a 502 response from a proxy', () => new Response(html, { status: 502, ...asHtml })],
  ['a captive portal’s response with status 200', () => new Response(html, { status: 200, ...asHtml })],
  ['a captive portal’s response with status 401', () => new Response(html, { status: 401, ...asHtml })],
  ['a JSON 401 response from a proxy', () => Response.json({ error: 'unauthorized' }, { status: 401 })],
  ['a 404 response from a different server', () => new Response('Not found', { status: 404 })],
  ['an empty response', () => new Response(null, { status: 204 })],
  ['a response with missing fields', () => Response.json({})],
  ['a truncated response', () => new Response('{"user":{"id"')],
  ['a network error', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a timeout', () => Promise.reject(new DOMException('timed out', 'TimeoutError'))],
])('%s does not indicate that the user is signed out, and does not lock the wallet', async (_, answer) => {
  const now = session(answer)
  now.signedIn({ id: 'u1', email: 'ada@example.org' } as Parameters<typeof now.signedIn>[0])
  await expect(now.me()).rejects.toThrow(frameTexts.serverAway)
  expect(now.left).toEqual([])
})

test('only a 401 response with our failure code means that the user is signed out', async () => {
  const now = session(() => response(401, 'session/none'))
  now.signedIn({ id: 'u1', email: 'ada@example.org' } as Parameters<typeof now.signedIn>[0])
  expect(await now.me()).toBeUndefined()
  expect(now.left).toEqual(['left'])
})

test.each([
  ['30', `${frameTexts.serverAway}. Try again in 30 seconds`],
  ['1', `${frameTexts.serverAway}. Try again in 1 second`],
  ['soon', frameTexts.serverAway],
  ['-1', frameTexts.serverAway],
  ['99999999', frameTexts.serverAway],
])('a Retry-After header of %s results in the message: %s', async (after, sentence) => {
  const keysClient = createKeysApiClient({
    fetch: async () => response(503, 'server/failed', { 'retry-after': after }),
  })
  await expect(keysClient(getMe)).rejects.toThrow(new RegExp(`^${sentence}$`))
})

test.each([
  [429, { code: 'email/throttled', seconds: 7 }, 'Please try again after 7 seconds'],
  [429, { code: 'limit/reached', seconds: 60 }, 'Please try again after 60 seconds'],
  [429, { code: 'limit/reached' }, 'Please try again after 30 seconds'],
  [422, { code: 'code/wrong' }, frameTexts.invalidCode],
  [404, { code: 'path/unknown' }, 'An error occurred'],
  [502, { code: 'mail/failed' }, 'The mail could not be sent'],
])('a %s response with %j results in the message: %s', async (status, failure, message) => {
  const keysClient = createKeysApiClient({ fetch: async () => Response.json({ ...failure, message: 'x' }, { status }) })
  await expect(keysClient(getMe)).rejects.toThrow(new RegExp(`^${message}$`))
})

test('a call that changes state sends a JSON body with a content type, and a call that only reads sends no body', async () => {
  const calls: RequestInit[] = []
  const keysClient = createKeysApiClient({
    fetch: async (_, init = {}) => {
      calls.push(init)
      return Response.json({})
    },
  })
  await keysClient(postSignOut).catch(() => undefined)
  await keysClient(getMe).catch(() => undefined)
  expect(calls).toMatchObject([
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    { method: 'GET' },
  ])
  expect(calls[1]).not.toHaveProperty('body')
})
