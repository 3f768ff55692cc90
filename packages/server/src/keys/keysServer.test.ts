import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCookie } from '@latchkey/protocol/http/cookies'
import { getKeysOriginConfig, keysFailure } from '@latchkey/protocol/http/keys'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemoryProjects } from '../inMemoryDependencies.ts'
import type { Project } from '../serverDependencies.ts'
import { keysOrigin, startKeys, type TestKeys } from '../testing/keysServer.ts'
import { cookieNames } from './accounts/cookieNames.ts'
import { folderFrameFiles } from './frame/frameFiles.ts'
import { createEmbedders } from './http/embedderOrigins.ts'

const project = (id: string, allowedOrigins: readonly string[]): Project => ({
  id,
  name: id,
  allowedOrigins,
  features: [],
  analytics: false,
})

let folder: string
let keys: TestKeys

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-frame-'))
  await mkdir(join(folder, 'frame/assets'), { recursive: true })
  await writeFile(join(folder, 'frame/index.html'), '<title>Wallet</title>')
  await writeFile(join(folder, 'frame/assets/main-DbYUwfiM.js'), 'export {}')
  await writeFile(join(folder, 'frame/recovery.html'), '<title>Recovery</title>')
  await writeFile(join(folder, 'frame/wallet.html'), '<title>Keys</title>')
  await writeFile(join(folder, 'frame/continue.html'), '<title>Wallet</title>')
  await writeFile(join(folder, 'frame/notes.md'), 'not for visitors')
  await writeFile(join(folder, 'secret.txt'), 'not for visitors')
  keys = await startKeys({
    frameFiles: folderFrameFiles(join(folder, 'frame')),
    projects: [project('shop', ['https://shop.example', '*.fair.example:8443'])],
  })
}, 60_000)
afterAll(async () => {
  await keys?.close()
  await rm(folder, { recursive: true, force: true })
})

test('only the projects’ pages can embed the frame, and the frame connects only to its own server [R6.2]', async () => {
  const { status, headers, body } = await keys.browser().send('GET', '/sdk')
  expect(status).toBe(200)
  expect(body).toBe('<title>Wallet</title>')
  const policy = new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((entry) => {
      const [name = '', ...sources] = entry.split(' ')
      return [name, sources] as const
    }),
  )
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('script-src')).toEqual(["'self'"])
  expect(policy.get('connect-src')).toEqual(["'self'"])
  expect(policy.get('require-trusted-types-for')).toEqual(["'script'"])
  expect(policy.get('frame-ancestors')).toEqual(
    expect.arrayContaining(['https://shop.example', 'https://*.fair.example:8443', 'http://*.localhost:*']),
  )
  expect(policy.get('frame-ancestors')).not.toContain('*')
  expect(headers.get('origin-agent-cluster')).toBe('?1')
  expect(headers.get('permissions-policy')).toContain('publickey-credentials-get=(self)')
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('set-cookie')).toBeNull()
})

test('the recovery page is downloaded instead of opened, because it is for offline use', async () => {
  const { status, headers } = await keys.browser().send('GET', '/recovery.html')
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toBe('attachment; filename="recovery.html"')
  // An embedding page could crop or cover the input for the kit.
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect((await keys.browser().send('GET', '/')).headers.get('content-disposition')).toBeNull()
})

test('files with a content hash are cached forever, but the page is not, and no other files from the disk are served', async () => {
  const get = (path: string) => keys.browser().send('GET', path)
  expect((await get('/assets/main-DbYUwfiM.js')).headers.get('cache-control')).toContain('immutable')
  expect((await get('/')).headers.get('cache-control')).toBe('no-cache')
  for (const path of [
    '/notes.md',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%00.js',
    '/%E0%A4%A.js',
  ])
    expect((await get(path)).status).toBe(404)
})

test('pages that show keys and recovery words cannot be embedded, however their path is spelled', async () => {
  for (const path of [
    '/wallet',
    '/wallet.html',
    '/continue',
    '/continue.html',
    '//wallet.html',
    '/x/..%2fwallet.html',
    '/.%2fwallet.html',
    '/%2fwallet',
  ]) {
    const { body, headers } = await keys.browser().send('GET', path)
    if (body === '<title>Keys</title>')
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
  }
  expect((await keys.browser().send('GET', '/wallet')).body).toBe('<title>Keys</title>')
})

test('pages that show keys and recovery words cannot be embedded, even if the file system ignores case', async () => {
  const files = folderFrameFiles(join(folder, 'frame'))
  const { browser } = await startKeys({
    connection: keys.connection,
    frameFiles: { find: (path) => files.find(path.toLowerCase()) },
  })
  for (const path of ['/Wallet.html', '/CONTINUE.html', '/Recovery.html']) {
    const { status, headers } = await browser().send('GET', path)
    expect([status, headers.get('content-security-policy')], path).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'none'"),
    ])
  }
})

test('API responses and small pages cannot be embedded and are not cached', async () => {
  for (const path of ['/vault/me', '/vault/approve', '/loading', '/vault/social/done', '/vault/nothing']) {
    const { headers } = await keys.browser().send('GET', path)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('popup pages keep their opener, and all other pages are isolated from their opener', async () => {
  const policy = async (path: string) => (await keys.browser().visit(path)).headers.get('cross-origin-opener-policy')
  expect(await policy('/loading')).toBe('unsafe-none')
  expect(await policy('/vault/social/done')).toBe('unsafe-none')
  expect(await policy('/vault/approve')).toBe('same-origin')
  expect(await policy('/sdk')).toBe('same-origin')
})

test('the frame receives the operator’s configuration', async () => {
  const { body } = await keys.browser().send('GET', '/vault/config')
  expect(v.parse(getKeysOriginConfig.answer, body)).toEqual({
    custody: 'self',
    origins: ['https://shop.example', '*.fair.example:8443'],
    social: [],
    farcaster: false,
    passkeys: true,
    networks: ['eip155:1'],
    bundlers: [],
    sponsored: [],
    paymasters: [],
  })
})

test('the keys origin has its own RPC endpoint, which only the frame can use', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
  const { body } = await keys.browser().send('POST', '/vault/rpc?chainId=eip155:1', call)
  expect(body).toEqual(call)
  const shopHeaders = { origin: 'https://shop.example', 'sec-fetch-site': 'same-site' }
  expect((await keys.browser().send('POST', '/vault/rpc?chainId=eip155:1', call, shopHeaders)).status).toBe(403)
  expect((await keys.browser().send('POST', '/vault/rpc?chainId=eip155:1', 'x'.repeat(70_000))).status).toBe(400)
})

test('every error has a specified code', async () => {
  for (const [method, path] of [
    ['GET', '/vault/me'],
    ['GET', '/vault/nothing'],
    ['POST', '/vault/email'],
    ['PUT', '/vault/record'],
    ['DELETE', '/vault/devices/a'],
    ['PUT', '/sdk'],
  ] as const)
    expect(v.is(keysFailure, (await keys.browser().send(method, path)).body)).toBe(true)
})

test.each<[string, readonly string[], readonly string[]]>([
  ['an origin', ['https://shop.example:8443'], ['https://shop.example:8443']],
  ['a host, which implies HTTPS', ['shop.example'], ['https://shop.example']],
  [
    'any subdomain of a host',
    ['*.shop.example', '*.*.shop.example'],
    ['https://*.shop.example', 'https://*.shop.example'],
  ],
  ['patterns that CSP does not support', ['*', 'shop.*', 'a*.shop.example', 'app://shop', 'x; script-src *', ''], []],
])('frame-ancestors is correct for %s [R6.2]', async (_, patterns, sources) => {
  const all = (await createEmbedders(inMemoryProjects([project('a', patterns)])).sources()).split(' ')
  expect(all.filter((source) => !/localhost|127\.0\.0\.1/.test(source))).toEqual(sources)
})

test('a project that allows every page does not let any page embed the frame [R6.2]', async () => {
  const embedders = createEmbedders(inMemoryProjects([project('open', [])]))
  expect(await embedders.may('https://evil.example')).toBe(false)
  expect(await embedders.may('http://demo.localhost:4100')).toBe(true)
  expect((await embedders.sources()).split(' ').every((source) => /localhost|127\.0\.0\.1/.test(source))).toBe(true)
})

test('over http, the cookie’s name contains the port, and a duplicated cookie is ignored', () => {
  expect(cookieNames('http://localhost:4101').session).toBe('latchkey.session.4101')
  expect(cookieNames(keysOrigin).session).toBe('__Host-latchkey.session')
  const value = 'A'.repeat(43)
  const name = 'latchkey.flow.4101'
  expect(readCookie(new Headers({ cookie: `a=b; ${name}=${value}` }), name)).toBe(value)
  expect(readCookie(new Headers({ cookie: `${name}=${value}; ${name}=${'B'.repeat(43)}` }), name)).toBeUndefined()
  expect(readCookie(new Headers({ cookie: `${name}=short` }), name)).toBeUndefined()
})

test.each([
  ['a typed, scanned or bookmarked URL', { 'sec-fetch-site': 'none' }, 'arrival;desc=owner'],
  ['a link on a different site', { 'sec-fetch-site': 'cross-site' }, 'arrival;desc=page'],
  ['a popup opened by the page that embeds the wallet', { 'sec-fetch-site': 'same-site' }, 'arrival;desc=page'],
  ['a window opened by the frame itself', { 'sec-fetch-site': 'same-origin' }, 'arrival;desc=frame'],
  [
    'a request that does not open a window',
    { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'iframe' },
    'arrival;desc=page',
  ],
  ['a request with a referrer', { 'sec-fetch-site': 'none', referer: 'https://a.example/' }, 'arrival;desc=page'],
  ['a browser without fetch metadata', {}, null],
])('the account page’s response reports how the user navigated to the page: %s', async (_, sent, timing) => {
  for (const path of ['/wallet', '/wallet.html', '/continue']) {
    const headers =
      'sec-fetch-site' in sent ? { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', ...sent } : sent
    const answer = await keys.server(new Request(`${keysOrigin}${path}`, { headers }))
    expect([answer.status, answer.headers.get('server-timing')]).toEqual([200, timing])
    // A cached response would describe an earlier navigation.
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
})

test('the account page is served at the path that clients of the specified protocol link to', async () => {
  const answer = await keys.server(new Request(`${keysOrigin}/dashboard`))
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/wallet'])
})

test('the account page cannot be the target of a form submission', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const answer = await keys.server(new Request(`${keysOrigin}/wallet`, { method: 'POST', headers, body: 'a=b' }))
  expect(answer.status).toBe(404)
})
