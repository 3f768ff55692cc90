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
    'a page whose policy leaves the origin out',
    { policy: 'frame-src' },
    /Content-Security-Policy of this page \(frame-src\).*Add https:\/\/keys\.example to frame-src/,
  ],
  ['a frame of another version', { version: '9' }, /speaks version 9 .*same release/],
  ['http keys of an https page', { url: 'http://keys.example/sdk' }, /mixed content.*Serve the keys origin by https/],
  ['a port that nobody listens at', { fetch: refuses as typeof fetch }, /nothing answers there.*KEYS_URL/],
  [
    'another server, or a page that is not registered',
    {},
    /something else is served there, or the server does not allow https:\/\/shop\.example to embed.*Add https:\/\/shop\.example to the allowed origins/,
  ],
  ['a frame that is held up', { hasLoaded: false }, /loads too slowly/],
])('diagnose reports the URL, the likely cause and a fix: %s', async (_, more, expected) => {
  const { sentence: said } = await diagnose({ ...symptoms, ...more })
  expect(said).toMatch(
    /^The embedded wallet did not start: no key frame answered at https?:\/\/keys\.example\. Likely cause: /,
  )
  expect(said).toMatch(expected)
})

test.each([
  ['a page that is not on the list, as far as a page can tell', {}, true],
  ['a frame that is held up', { hasLoaded: false }, false],
  ['a policy of the page itself', { policy: 'frame-src' }, false],
  ['another version', { version: '9' }, false],
])('diagnose reports whether the domain is unverified: %s [R8.7]', async (_, more, isUnverified) => {
  expect(await diagnose({ ...symptoms, ...more })).toMatchObject({ isUnverified })
})
