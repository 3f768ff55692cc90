import { createHash } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Frame, type Page } from '@playwright/test'
import { stringToHex } from 'viem'
import { test } from './support/fixtures.ts'
import { approve, codeFor, type FramePage, openFramePage, openFramePageAt, recoveryCode } from './support/framePage.ts'
import { startTestServer, type TestServer } from './support/testServer.ts'

// Covers hosts that are not allowed to embed the frame, storage that is denied or lost, concurrent tabs, and servers that move.
// In each case, the wallet's address must stay the same.

const local = { chainId: 31337, chainNamespace: 'eip155' }
const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

// The browser logs a 401 response when the user is not signed in, and logs frames that frame-ancestors blocks.
const noise = [/status of (4\d\d|5\d\d)/, /Unrecognized feature/, /frame-ancestors/, /Failed to load resource/]
// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use(noise) })

function keysFrame(page: Page): Frame {
  const frame = page.frames().find((candidate) => new URL(candidate.url()).host.startsWith('keys.'))
  if (!frame) throw new Error('The frame was not found.')
  return frame
}

test.describe('the frame can be embedded by', () => {
  let server: TestServer
  let folder: string

  test.beforeAll(async () => {
    test.setTimeout(60_000)
    folder = await mkdtemp(join(tmpdir(), 'latchkey-hosts-'))
    server = await startTestServer({ dataFolder: join(folder, 'data') })
    await server.allow(['https://shop.example', 'https://*.bakery.example'])
  })
  test.afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Opens a page at `url` that embeds the frame. Resolves to the message that the page receives. */
  async function embeddedAt(
    page: Page,
    url: string,
    { headers = {}, around }: { headers?: Readonly<Record<string, string>>; around?: string } = {},
  ): Promise<'READY' | 'nothing'> {
    const inner = `<!doctype html><script>
      window.firstMessage = new Promise((resolve) => addEventListener('message', ({ data, origin }) => {
        if (origin === '${server.keys}' && data.type === '@w3m-frame/READY') resolve('READY')
      }))
    </script><iframe allow="publickey-credentials-get ${server.keys}" src="${server.keys}/sdk?projectId=shop"></iframe>`
    await page.context().unrouteAll()
    await page.context().route(
      (request) => !request.host.endsWith(`:${server.port}`),
      (route) =>
        route.fulfill({
          contentType: 'text/html',
          headers,
          body:
            around !== undefined && route.request().frame().parentFrame() === null
              ? around.replace('INNER', inner.replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
              : inner,
        }),
    )
    // The page's load event waits for its frames. A blocked frame shows the browser's error page.
    await page.goto(url, { waitUntil: 'load' })
    const frames = page.frames()
    const keys = frames.findLast((frame) => frame.parentFrame() !== null)
    if (!keys?.url().startsWith(server.keys)) return 'nothing'
    return (keys.parentFrame() as Frame).evaluate(
      () => (window as unknown as { firstMessage: Promise<'READY'> }).firstMessage,
    )
  }

  test('allow-listed pages, but not by pages with a different port, scheme, subdomain or lookalike name, nor by sandboxed pages', async ({
    browser,
  }) => {
    test.setTimeout(90_000)
    const context = await browser
      .newContext({ ignoreHTTPSErrors: true, permissions: ['local-network-access'] })
      .catch(() => browser.newContext())
    const page = await context.newPage()
    const replies: Record<string, string> = {}
    for (const origin of [
      'https://shop.example',
      'https://a.bakery.example',
      'https://shop.example:8443',
      'http://shop.example',
      'https://www.shop.example',
      'https://shop.example.',
      'https://shop.example.evil.example',
      'https://evil-shop.example',
      'https://xn--shp-fnd.example',
      'https://bakery.example',
      'https://evil.example',
    ])
      replies[origin] = await embeddedAt(page, `${origin}/`)
    replies['a sandboxed page'] = await embeddedAt(page, 'https://shop.example/', {
      headers: { 'content-security-policy': 'sandbox allow-scripts' },
    })
    replies['a frame with an opaque origin in the shop'] = await embeddedAt(page, 'https://shop.example/', {
      around: '<iframe srcdoc="INNER" sandbox="allow-scripts"></iframe>',
    })
    replies['the shop inside another page'] = await embeddedAt(page, 'https://evil.example/', {
      around: '<iframe src="https://shop.example/"></iframe>',
    })
    const may = Object.keys(replies).filter((who) => replies[who] === 'READY')
    expect(may).toEqual(['https://shop.example', 'https://a.bakery.example'])
    await context.close()
  })

  test('a host that does not delegate passkeys, in which case the frame cannot use them', async ({ browser }) => {
    const context = await browser.newContext({ permissions: ['local-network-access'] })
    const page = await context.newPage()
    const allowed = () =>
      keysFrame(page).evaluate(() =>
        (
          document as unknown as { featurePolicy: { allowsFeature(name: string): boolean } }
        ).featurePolicy.allowsFeature('publickey-credentials-get'),
      )
    expect(await embeddedAt(page, 'https://shop.example/')).toBe('READY')
    expect(await allowed()).toBe(true)
    const headers = { 'permissions-policy': 'publickey-credentials-get=()' }
    expect(await embeddedAt(page, 'https://shop.example/', { headers })).toBe('READY')
    expect(await allowed()).toBe(false)
    const refused = await keysFrame(page).evaluate(() =>
      navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32) } }).then(
        () => 'asked',
        (error: Error) => error.name,
      ),
    )
    expect(refused).toBe('NotAllowedError')
    await context.close()
  })
})

test('every response from the keys origin sets frame-ancestors and allows no cross-origin reads', async ({
  page,
  world,
}) => {
  for (const path of [
    '/sdk',
    '/wallet',
    '/',
    '/recovery.html',
    '/vault/config',
    '/vault/page.css',
    '/vault/nothing',
    '/nothing.js',
    '/loading',
  ]) {
    const answer = await page.request.get(`http://127.0.0.1:${world.port}${path}`, {
      headers: { host: `keys.demo.localhost:${world.port}` },
    })
    const headers = answer.headers()
    expect(headers['content-security-policy'], path).toMatch(/default-src 'none'.*frame-ancestors /)
    expect(headers['content-security-policy'], path).not.toMatch(/unsafe|frame-ancestors \*| \* |data:[^;]*script/)
    expect(headers['cross-origin-opener-policy'], path).toMatch(/same-origin|unsafe-none/)
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers['access-control-allow-origin'], path).toBeUndefined()
    if (path === '/wallet' || path.startsWith('/vault'))
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  }
})

test.describe('if storage is', () => {
  const inFrame = (page: Page, deny: (error: string) => void, error = 'SecurityError') =>
    page.addInitScript(`if (location.host.startsWith('keys.')) (${deny.toString()})('${error}')`)

  for (const [what, error] of [
    ['denied', 'SecurityError'],
    ['full', 'QuotaExceededError'],
  ] as const)
    test(`${what}, the frame shows the “Create your wallet” screen instead of creating a wallet that would be lost`, async ({
      page,
      world,
    }) => {
      await inFrame(
        page,
        (error) => {
          const refuse = () => {
            throw new DOMException('', error)
          }
          if (error === 'SecurityError') Object.defineProperty(window, 'indexedDB', { get: refuse })
          IDBObjectStore.prototype.add = refuse
          IDBObjectStore.prototype.put = refuse
        },
        error,
      )
      const email = someone(what)
      const framePage = await openFramePage(page, world)
      await framePage.request('CONNECT_EMAIL', { email })
      await framePage.request('CONNECT_OTP', { otp: await codeFor(world, email) })
      await framePage.begin('user', 'GET_USER', { chainId: 31337 })
      await expect(framePage.frame.getByRole('heading', { name: 'Create your wallet' })).toBeVisible()
      await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
      expect((await framePage.response('user')).type).toBe('@w3m-frame/GET_USER_ERROR')
    })

  test('cleared during a session, the wallet stays open until a reload, after which the frame asks for a key', async ({
    page,
    world,
  }) => {
    const framePage = await openFramePage(page, world)
    const { payload: user } = await framePage.logIn(someone('cleared'))
    await keysFrame(page).evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.deleteDatabase('latchkey')
          request.onsuccess = () => resolve()
          request.onerror = () => reject(request.error)
        }),
    )
    await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('still'), user.address], ...local })
    await approve(framePage.frame, 'Sign')
    expect((await framePage.response('sign')).type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
    const again = await openFramePage(page, world)
    await again.begin('user', 'GET_USER', { chainId: 31337 })
    await expect(again.frame.getByRole('heading', { name: 'Open your wallet' })).toBeVisible()
    await expect(again.frame.getByText(user.address.slice(-4))).toBeVisible()
    await again.frame.getByRole('button', { name: 'Cancel' }).click()
    expect((await again.response('user')).type).toBe('@w3m-frame/GET_USER_ERROR')
  })

  test('deleted with a private window, the next login asks for a key instead of creating a wallet', async ({
    page,
    world,
    browser,
  }) => {
    test.setTimeout(60_000)
    const email = someone('private')
    const first = await (await browser.newContext()).newPage()
    const { payload: user } = await (await openFramePage(first, world)).logIn(email)
    await first.context().close()
    const framePage = await openFramePage(page, world)
    await expect
      .poll(async () => (await framePage.request('CONNECT_EMAIL', { email })).type, { timeout: 40_000 })
      .toContain('SUCCESS')
    await framePage.request('CONNECT_OTP', { otp: await codeFor(world, email) })
    await framePage.begin('user', 'GET_USER', { chainId: 31337 })
    await expect(framePage.frame.getByRole('heading', { name: 'Open your wallet' })).toBeVisible()
    await expect(framePage.frame.getByText(user.address.slice(-4))).toBeVisible()
  })
})

test('two tabs that create, open and sign out of a wallet at the same time share one wallet', async ({
  page,
  world,
}) => {
  test.setTimeout(60_000)
  const email = someone('tabs')
  const first = await openFramePage(page, world)
  await first.request('CONNECT_EMAIL', { email })
  await first.request('CONNECT_OTP', { otp: await codeFor(world, email) })
  const second = await openFramePage(await page.context().newPage(), world)
  const both = <Result>(ask: (framePage: FramePage) => Promise<Result>) => Promise.all([ask(first), ask(second)])
  const [user, other] = await both((framePage) => framePage.request('GET_USER', { chainId: 31337 }))
  expect(user.payload.address).toMatch(/^0x/)
  expect(other.payload.address).toBe(user.payload.address)
  const [again, too] = await Promise.all([openFramePage(first.page, world), openFramePage(second.page, world)])
  const opened = await Promise.all([again, too].map((framePage) => framePage.request('GET_USER', { chainId: 31337 })))
  expect(opened.map(({ payload }) => payload.address)).toEqual([user.payload.address, user.payload.address])
  const devices = await keysFrame(page).evaluate(() => fetch('/vault/devices').then((answer) => answer.json()))
  expect(devices.devices).toHaveLength(1)
  // Signing out in one tab signs out in both, even if the vault is open in the second tab.
  await again.request('SIGN_OUT')
  const refused = await too.request('RPC_REQUEST', {
    method: 'personal_sign',
    params: [stringToHex('late'), user.payload.address],
    ...local,
  })
  expect(refused).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR', payload: { message: 'Not signed in' } })
})

test('the wallet stays the same if the server moves to a different machine, restores its database or gets a new secret', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-moves-'))
  const [home, copy] = [join(folder, 'home'), join(folder, 'elsewhere')]
  const context = await browser.newContext()
  const page = await context.newPage()
  let server = await startTestServer({ dataFolder: home })
  const { port } = server
  const restart = async (dataFolder: string, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    await server.stop()
    server = await startTestServer({ dataFolder, port, env })
  }
  const framePage = await openFramePageAt(page, server)
  const { payload: user } = await framePage.logIn('ada@bakery.example')

  // Copy the data folder, add a recovery kit to the wallet, then restore the data from the copy.
  await server.stop()
  await cp(home, copy, { recursive: true })
  server = await startTestServer({ dataFolder: home, port })
  const changed = await openFramePageAt(page, server)
  await changed.start('sign', { method: 'personal_sign', params: [stringToHex('kit'), user.address], ...local })
  await changed.frame.getByRole('button', { name: 'Add a second key' }).click()
  await changed.frame.getByRole('button', { name: /Recovery kit/ }).click()
  const groups = await recoveryCode(changed.frame)
  await changed.frame.getByLabel(/Type the last group/).fill(groups.at(-1) ?? '')
  await changed.frame.getByRole('button', { name: 'I have saved it' }).click()
  await changed.frame.getByRole('button', { name: 'Done' }).click()
  await approve(changed.frame, 'Sign')
  await changed.response('sign')
  await restart(copy)
  const restored = await openFramePageAt(page, server)
  expect((await restored.request('GET_USER', { chainId: 31337 })).payload.address).toBe(user.address)
  const kinds = async () => {
    const [row] = await server.query('select record, version from vault_records')
    const { wrappers, version } = JSON.parse(String(row?.record)) as { version: number; wrappers: { kind: string }[] }
    return [row?.version, version, ...wrappers.map(({ kind }) => kind)]
  }
  expect(await kinds()).toEqual([2, 2, 'device', 'kit'])

  // With a different secret, users have to sign in again, but this browser is still a known device.
  await restart(copy, { AUTH_SECRET: 'another secret of thirty-two letters' })
  const rotated = await openFramePageAt(page, server)
  expect(await rotated.request('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  expect((await rotated.logIn('ada@bakery.example')).payload.address).toBe(user.address)
  await context.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a login and a signature work without internet access, and the browser sends no requests to other machines', async ({
  page,
  world,
}) => {
  const hosts = new Set<string>()
  page.context().on('request', (request) => hosts.add(new URL(request.url()).hostname))
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone('closed'))
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex('in'), user.address], ...local })
  await approve(framePage.frame, 'Sign')
  expect((await framePage.response('sign')).type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
  expect((await framePage.request('RPC_REQUEST', { method: 'eth_blockNumber', ...local })).payload).toMatch(/^0x/)
  expect([...hosts].filter((host) => !host.endsWith('.localhost') && host !== '127.0.0.1')).toEqual([])
  // The browser cannot reach other machines during the test run. `blockEgress` records attempts by the servers.
  await expect(page.goto('http://example.com/')).rejects.toThrow(/ERR_NAME_NOT_RESOLVED/)
})
