import { describe, expect, test } from 'vitest'
import type { RelyingParty } from './requestOrigin.ts'
import { type AuthRequest, cookieTransport, headerTransport } from './tokenTransport.ts'

const shop = 'https://shop.example'

function requestOf(
  params: { url?: string; page?: string | undefined; headers?: Record<string, string> } & Partial<RelyingParty> = {},
): AuthRequest {
  const { url = `${shop}/me`, headers = {}, isShared = false, isHttps = true, projectId = 'p' } = params
  return {
    request: new Request(url, { headers }),
    relyingParty: { projectId, allowsOrigin: () => true, isShared, isHttps },
    page: 'page' in params ? params.page : shop,
  }
}

const nameOf = (request: AuthRequest): string =>
  cookieTransport().write('session', ['t'], 60, request)[0]?.split('=')[0] ?? ''
/** Returns the tokens that a server reads from the cookie in this `Set-Cookie` header. */
const readBack = (setCookie: string | undefined, request = requestOf()) =>
  cookieTransport().read('session', {
    ...request,
    request: new Request(request.request.url, { headers: { cookie: setCookie?.split(';')[0] ?? '' } }),
  })

describe('cookies', () => {
  test('a cookie contains up to four tokens, newest first, and lasts for the given time', () => {
    const [cookie, ...others] = cookieTransport().write('session', ['e', 'd', 'c', 'b', 'a'], 60, requestOf())
    expect(cookie).toBe('__Host-latchkey.sign-in-session=e~d~c~b; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure')
    expect(others).toEqual([])
    expect(readBack(cookie)).toEqual(['e', 'd', 'c', 'b'])
  })

  test('a cookie without tokens is removed', () => {
    expect(cookieTransport().write('nonce', [], 60, requestOf())).toEqual([
      '__Host-latchkey.sign-in-nonce=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ])
  })

  test('a cookie stays below the size at which browsers drop it, so tokens that do not fit are left out', () => {
    const [long, short] = ['a'.repeat(2_000), 'b'.repeat(1_000)]
    const [cookie] = cookieTransport().write('session', [long, long, short], 60, requestOf())
    expect(readBack(cookie)).toEqual([long, short])
    const [full] = cookieTransport().write('session', ['c'.repeat(3_799), 'd'], 60, requestOf())
    expect(readBack(full)).toEqual(['c'.repeat(3_799)])
    const [over] = cookieTransport().write('session', ['c'.repeat(3_800)], 60, requestOf())
    expect(readBack(over)).toEqual([])
  })

  test.each(['a b', '<a>', '!a', 'a!', '%C3', 'a'.repeat(3_901)])(
    'a cookie with a value that no server has set is ignored (%s)',
    (value) => {
      expect(readBack(`__Host-latchkey.sign-in-session=${value}`)).toEqual([])
    },
  )

  test('a cookie with more tokens than a server sets is read up to the limit', () => {
    expect(readBack('__Host-latchkey.sign-in-session=a~b~c~d~e')).toEqual(['a', 'b', 'c', 'd'])
  })

  test.each([
    ['for an https page', { page: shop }, '__Host-latchkey.sign-in-session'],
    [
      'for a local page',
      { page: 'http://localhost:5173', url: 'http://localhost:4000/' },
      'latchkey.sign-in-session.4000',
    ],
    [
      'for a local page on the default port',
      { page: 'http://localhost', url: 'http://localhost/' },
      'latchkey.sign-in-session.80',
    ],
    ['for a read by a same-origin page with https', { page: undefined }, '__Host-latchkey.sign-in-session'],
    [
      'for a read by a local same-origin page',
      { page: undefined, url: 'http://127.0.0.1:4000/', isHttps: false },
      'latchkey.sign-in-session.4000',
    ],
    [
      'for a read behind a proxy that terminates https',
      { page: undefined, url: 'http://shop.example/', isHttps: false },
      '__Host-latchkey.sign-in-session',
    ],
    [
      'for a local read when all pages use https',
      { page: undefined, url: 'http://localhost:4000/', isHttps: true },
      '__Host-latchkey.sign-in-session',
    ],
    [
      'for a local page, based on the Host header',
      { page: 'http://localhost:5173', url: 'http://10.0.0.1:9/', headers: { host: 'localhost:4000' } },
      'latchkey.sign-in-session.4000',
    ],
    [
      'for a local page with a malformed Host header',
      { page: 'http://localhost:5173', url: 'http://localhost:4000/', headers: { host: 'a b' } },
      'latchkey.sign-in-session.4000',
    ],
  ] as const)('the cookie has the expected name %s', (_, params, name) => {
    expect(nameOf(requestOf(params))).toBe(name)
  })

  test('on a shared server, each project and page has its own cookie name, which ends in 16 hexadecimal digits', () => {
    const names = [
      requestOf({ isShared: true }),
      requestOf({ isShared: true, projectId: 'q' }),
      requestOf({ isShared: true, page: 'https://other.example' }),
      requestOf({ isShared: true, page: undefined }),
    ].map(nameOf)
    for (const name of names) expect(name).toMatch(/^__Host-latchkey\.sign-in-session\.[0-9a-f]{16}$/)
    expect(new Set(names).size).toBe(4)
    expect(nameOf(requestOf({ isShared: true }))).toBe(names[0])
  })
})

describe('headers', () => {
  const readWith = (name: string, value: string, kind: 'nonce' | 'session' = 'session') =>
    headerTransport().read(kind, requestOf({ headers: { [name]: value } }))

  test('a header contains one token, and only the page sets it', () => {
    expect(readWith('authorization', 'Bearer a.b-c_d')).toEqual(['a.b-c_d'])
    expect(readWith('Authorization', 'bearer a')).toEqual(['a'])
    expect(readWith('x-nonce-jwt', 'Bearer n', 'nonce')).toEqual(['n'])
    expect(headerTransport().write('session', ['t'], 60, requestOf())).toEqual([])
  })

  test.each(['', 'a', 'Basic a', 'Bearer', 'Bearer a b', 'xBearer a', 'Bearer a~b', `Bearer ${'a'.repeat(4_001)}`])(
    'a header with the value "%s" contains no token',
    (value) => {
      expect(readWith('authorization', value)).toEqual([])
    },
  )

  test('a header with a different name contains no token', () => {
    expect(readWith('x-nonce-jwt', 'Bearer n')).toEqual([])
    expect(headerTransport().read('session', requestOf())).toEqual([])
  })
})
