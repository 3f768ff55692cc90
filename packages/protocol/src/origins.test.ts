import { expect, test } from 'vitest'
import { originAllowed, originListed } from './origins.ts'

test.each<[origin: string, patterns: string[], allowed: boolean]>([
  // Without patterns, any origin is allowed.
  ['https://a.example', [], true],
  ['null', [], true],
  // The complete host names are compared, ignoring case.
  ['https://a.example', ['https://a.example'], true],
  ['https://A.Example', ['https://a.EXAMPLE'], true],
  ['https://a.example', ['b.example'], false],
  ['https://a.example.evil.test', ['a.example'], false],
  ['https://evil-a.example', ['a.example'], false],
  ['https://sub.a.example', ['a.example'], false],
  ['https://a.example.', ['a.example'], false],
  // An asterisk matches one whole label.
  ['https://x.a.example', ['*.a.example'], true],
  ['https://x.y.a.example', ['*.a.example'], false],
  ['https://x.y.a.example', ['*.*.a.example'], true],
  ['https://a.example', ['*.a.example'], false],
  ['https://.a.example', ['*.a.example'], false],
  ['https://x1.a.example', ['x*.a.example'], false],
  ['https://x*.a.example', ['x*.a.example'], true],
  ['https://a.example', ['*'], false],
  ['https://intranet', ['*'], true],
  // The scheme and port are only compared if the pattern specifies them.
  ['http://a.example', ['a.example'], true],
  ['https://a.example:8443', ['a.example'], true],
  ['http://a.example', ['https://a.example'], false],
  ['HTTPS://a.example', ['https://a.example'], true],
  ['https://a.example:8443', ['a.example:8443'], true],
  ['https://a.example:8443', ['a.example:443'], false],
  ['https://a.example', ['a.example:443'], true],
  ['http://a.example', ['a.example:443'], false],
  ['https://a.example', ['https://a.example/'], true],
  ['capacitor://app.example', ['capacitor://app.example'], true],
  ['capacitor://localhost', ['a.example'], false],
  // Localhost is always allowed.
  ['http://localhost:3000', ['a.example'], true],
  ['https://demo.localhost:4100', ['a.example'], true],
  ['http://127.0.0.1:3000', ['a.example'], true],
  ['http://[::1]:3000', ['a.example'], true],
  ['http://localhost.evil.test', ['a.example'], false],
  ['http://127.0.0.1.evil.test', ['a.example'], false],
  ['http://notlocalhost', ['a.example'], false],
  // Pages on shared hosting domains are not allowed by default.
  ['https://x.vercel.app', ['a.example'], false],
  ['https://x.pages.dev', ['a.example'], false],
  // These strings are not valid origins, or have a different host.
  ['null', ['a.example'], false],
  ['null', ['null'], false],
  ['', ['a.example'], false],
  ['a.example', ['a.example'], false],
  ['https://a.example@evil.test', ['a.example'], false],
  ['https://evil.test/a.example', ['a.example'], false],
  ['https://evil.test#a.example', ['*.example'], false],
  // An invalid pattern does not affect the other patterns.
  ['https://a.example', ['', 'https://', '://a.example', 'a..example', '[', 'a.example'], true],
  ['https://a.example', ['', 'https://', '://a.example', 'a..example', '['], false],
])('%s with %o: %s [R6.2]', (origin, patterns, allowed) => {
  expect(originAllowed(origin, patterns)).toBe(allowed)
})

test('originListed matches only the listed origins, and does not match localhost unless it is listed', () => {
  expect(originListed('https://app.shop.example', ['https://*.shop.example'])).toBe(true)
  expect(originListed('http://localhost:3000', ['https://shop.example'])).toBe(false)
  expect(originListed('http://localhost:3000', ['http://localhost:3000'])).toBe(true)
  expect(originListed('https://shop.example', [])).toBe(false)
})
