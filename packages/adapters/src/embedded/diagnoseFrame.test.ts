import { expect, test } from 'vitest'
import { diagnose } from './diagnoseFrame.ts'

const answers = async () => new Response(null)
const refuses = async () => {
  throw new TypeError('Failed to fetch')
}
const symptoms = {
  url: 'https://keys.example/sdk?projectId=p',
  page: 'https://shop.example',
  hasLoaded: true,
  fetch: answers as typeof fetch,
}

test.each([
  [
    'a page whose CSP blocks the keys origin',
    { policy: 'frame-src' },
    /Content-Security-Policy of this page \(frame-src\).*Add https:\/\/keys\.example to frame-src/,
  ],
  ['a frame with a different version', { version: '9' }, /uses protocol version 9,.*same release/],
  [
    'an HTTP keys origin on an HTTPS page',
    { url: 'http://keys.example/sdk' },
    /mixed content.*Serve the keys origin over https/,
  ],
  ['a port on which no server listens', { fetch: refuses as typeof fetch }, /nothing responds there.*KEYS_URL/],
  [
    'a different server, or a page that is not on the allow list',
    {},
    /something else is served there, or the server does not allow https:\/\/shop\.example to embed.*Add https:\/\/shop\.example to the allowed origins/,
  ],
  ['a frame that loads slowly', { hasLoaded: false }, /load too slowly/],
])('diagnose() reports the origin, the likely cause and a fix: %s', async (_, more, expected) => {
  const { sentence } = await diagnose({ ...symptoms, ...more })
  expect(sentence).toMatch(/^The embedded wallet at https?:\/\/keys\.example did not start\. Likely cause: /)
  expect(sentence).toMatch(expected)
})

test.each([
  ['a page that is probably not on the allow list', {}, true],
  ['a frame that loads slowly', { hasLoaded: false }, false],
  ['the page’s own CSP', { policy: 'frame-src' }, false],
  ['a different version', { version: '9' }, false],
])('diagnose() reports whether the domain is unverified: %s [R8.7]', async (_, more, isUnverified) => {
  expect(await diagnose({ ...symptoms, ...more })).toMatchObject({ isUnverified })
})
