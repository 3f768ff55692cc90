import { expect, test } from 'vitest'
import { isLocalhost, isSafeOrigin, requestOrigin } from './requestOrigin.ts'

const shop = 'https://shop.example'

const originOf = (method: string, headers: Record<string, string>, isShared = false) =>
  requestOrigin(
    { method, headers: new Headers(headers) },
    { projectId: 'p', allowsOrigin: (origin) => origin === shop, isShared, isHttps: true },
  )

test('an allowed page is identified by its Origin header', () => {
  expect(originOf('POST', { origin: shop })).toBe(shop)
  expect(originOf('GET', { origin: shop, 'sec-fetch-site': 'cross-site' }, true)).toBe(shop)
})

test.each([
  ['a different origin', { origin: 'https://evil.example' }, /Add https:\/\/evil\.example to `origins`/],
  ['an http origin', { origin: 'http://shop.example' }, /requires https/],
  ['an opaque origin', { origin: 'null' }, /requires https/],
])('a page with %s is rejected with 401 and an explanation', (_, headers, sentence) => {
  expect(() => originOf('GET', headers)).toThrow(
    expect.objectContaining({ status: 401, message: expect.stringMatching(sentence) as string }),
  )
})

test.each([
  ['GET', {}],
  ['HEAD', {}],
  ['GET', { 'sec-fetch-site': 'same-origin' }],
  ['GET', { 'sec-fetch-site': 'none' }],
])('a read (%s, %j) from the same origin does not require an Origin header', (method, headers) => {
  expect(originOf(method, headers)).toBeUndefined()
})

test.each([
  ['a write', 'POST', {}, false],
  ['a deletion', 'DELETE', {}, false],
  ['a read from a shared server', 'GET', {}, true],
  ['a read by a different site', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
  ['a read by a different host on the same site', 'GET', { 'sec-fetch-site': 'same-site' }, false],
])('%s without an Origin header is rejected', (_, method, headers, isShared) => {
  expect(() => originOf(method, headers, isShared)).toThrow(
    expect.objectContaining({ status: 401, message: expect.stringMatching(/^Unauthorized: \w/) as string }),
  )
})

test.each(['localhost', 'a.localhost', 'shop.a.localhost', '127.0.0.1', '127.12.200.3', '[::1]'])(
  '%s refers to this machine',
  (name) => {
    expect(isLocalhost(name)).toBe(true)
    expect(isSafeOrigin(`http://${name}`)).toBe(true)
  },
)

test.each([
  'shop.example',
  'localhost.example',
  'evillocalhost',
  '.localhost',
  '127.0.0.1.example',
  'a127.0.0.1',
  '127.0.0',
  '128.0.0.1',
  '[::1].example',
  '',
])('%s does not refer to this machine', (name) => {
  expect(isLocalhost(name)).toBe(false)
})

test.each([
  '*',
  'https://*.example',
  'shop.example',
  'https://shop.example/',
  'https://SHOP.example',
  'ftp://shop.example',
  'null',
])('%s is not the exact origin of a safe page', (text) => {
  expect(isSafeOrigin(text)).toBe(false)
})
