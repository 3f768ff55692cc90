import { expect, test } from 'vitest'
import { originAllowed, originListed } from './origins.ts'

test.each<[origin: string, patterns: string[], allowed: boolean]>([
  // No patterns: any origin.
  ['https://a.example', [], true],
  ['null', [], true],
  // Hosts are compared as a whole and case-insensitively.
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
  // Scheme and port matter only if they are given.
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
  // Localhost.
  ['http://localhost:3000', ['a.example'], true],
  ['https://demo.localhost:4100', ['a.example'], true],
  ['http://127.0.0.1:3000', ['a.example'], true],
  ['http://[::1]:3000', ['a.example'], true],
  ['http://localhost.evil.test', ['a.example'], false],
  ['http://127.0.0.1.evil.test', ['a.example'], false],
  ['http://notlocalhost', ['a.example'], false],
  // No hosting provider is trusted for its customers' pages.
  ['https://x.vercel.app', ['a.example'], false],
  ['https://x.pages.dev', ['a.example'], false],
  // No origin.
  ['null', ['a.example'], false],
  ['null', ['null'], false],
  ['', ['a.example'], false],
  ['a.example', ['a.example'], false],
  ['https://a.example@evil.test', ['a.example'], false],
  ['https://evil.test/a.example', ['a.example'], false],
  ['https://evil.test#a.example', ['*.example'], false],
  // An invalid pattern does not affect the others.
  ['https://a.example', ['', 'https://', '://a.example', 'a..example', '[', 'a.example'], true],
  ['https://a.example', ['', 'https://', '://a.example', 'a..example', '['], false],
])('%s with %o: %s [R6.2]', (origin, patterns, allowed) => {
  expect(originAllowed(origin, patterns)).toBe(allowed)
})

test('a list matches only the listed origins, not localhost, and none if it is empty', () => {
  expect(originListed('https://app.shop.example', ['https://*.shop.example'])).toBe(true)
  expect(originListed('http://localhost:3000', ['https://shop.example'])).toBe(false)
  expect(originListed('http://localhost:3000', ['http://localhost:3000'])).toBe(true)
  expect(originListed('https://shop.example', [])).toBe(false)
})
