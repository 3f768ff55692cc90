import { expect, test } from 'vitest'
import { parseDeepLink, takeDeepLink } from './deepLink.ts'

const uri = `wc:${'a'.repeat(64)}@2?relay-protocol=irn&symKey=${'b'.repeat(64)}&methods=wc_sessionAuthenticate`

test('parseDeepLink() parses pairing and request links, and ignores any other fragment', () => {
  expect(parseDeepLink(`#/wc?uri=${encodeURIComponent(uri)}`)).toEqual({ to: 'pair', uri })
  expect(parseDeepLink('#/wc?requestId=1700000000000123&sessionTopic=abc')).toEqual({
    to: 'request',
    topic: 'abc',
    id: 1700000000000123,
  })
  for (const hash of ['', '#/', '#/wc', '#/wc?requestId=x&sessionTopic=abc', `#wc?uri=${uri}`])
    expect(parseDeepLink(hash)).toBeUndefined()
})

test('takeDeepLink() removes the secret from the address bar', () => {
  const replaced: unknown[] = []
  const history = { replaceState: (...all: unknown[]) => replaced.push(all) } as unknown as History
  const location = { hash: `#/wc?uri=${encodeURIComponent(uri)}`, pathname: '/' } as Location
  expect(takeDeepLink({ location, history })).toEqual({ to: 'pair', uri })
  expect(replaced).toEqual([[null, '', '/']])
})
