import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Frame, type Page } from '@playwright/test'
import { stringToHex } from 'viem'
import { type OwnServer, openServers } from './support/ownServer.ts'
import { test } from './support/test.ts'
import { openWire, type Wire } from './support/wire.ts'

// Hosts that want to be the wallet's page and may not, hands that are led, storage that is denied or lost, tabs that race,
// servers that move. Whatever happens: nobody signs by accident, and the address stays the same.

const local = { chainId: 31337, chainNamespace: 'eip155' }
const someone = (name: string): string =>
  `${name}-${createHash('sha256')
    .update(name + Date.now())
    .digest('hex')
    .slice(0, 8)}@bakery.example`

// "Nobody is signed in" is a 401; frames that may not be framed are noted, too.
const noise = [/status of (4\d\d|5\d\d)/, /Unrecognized feature/, /frame-ancestors/, /Failed to load resource/]
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
test.use({ expectedNoise: async ({}, use) => use(noise) })

function keysFrame(page: Page): Frame {
  const frame = page.frames().find((each) => new URL(each.url()).host.startsWith('keys.'))
  if (!frame) throw new Error('There is no frame.')
  return frame
}

test.describe('who may embed the frame', () => {
  let servers: Awaited<ReturnType<typeof openServers>>
  let server: OwnServer
  let folder: string

  test.beforeAll(async () => {
    test.setTimeout(60_000)
    servers = await openServers()
    folder = await mkdtemp(join(tmpdir(), 'latchkey-hosts-'))
    server = await servers.start({ dataFolder: join(folder, 'data') })
    await server.allow(['https://shop.example', 'https://*.bakery.example'])
  })
  test.afterAll(async () => {
    await server?.stop()
    await servers?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Opens a page at any address, with the frame in it, and answers what the page hears. */
  async function embeddedAt(
    page: Page,
    url: string,
    { headers = {}, around }: { headers?: Readonly<Record<string, string>>; around?: string } = {},
  ): Promise<'READY' | 'nothing'> {
    const inner = `<!doctype html><script>
      window.heard = new Promise((resolve) => addEventListener('message', ({ data, origin }) => {
        if (origin === '${server.keys}' && data.type === '@w3m-frame/READY') resolve('READY')
      }))
    </script><iframe allow="publickey-credentials-get ${server.keys}" src="${server.keys}/sdk?projectId=shop"></iframe>`
    await page.context().unrouteAll()
    await page.context().route(
      (each) => !each.host.endsWith(`:${server.port}`),
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
    // The load of a page waits for those of its frames; one that may not be framed is an error page of the browser's.
    await page.goto(url, { waitUntil: 'load' })
    const frames = page.frames()
    const keys = frames.findLast((each) => each.parentFrame() !== null)
    if (!keys?.url().startsWith(server.keys)) return 'nothing'
    return (keys.parentFrame() as Frame).evaluate(() => (window as unknown as { heard: Promise<'READY'> }).heard)
  }

  test('pages that the operator named, and no others: not by port, scheme, subdomain, dot, script or sandbox', async ({
    browser,
  }) => {
    test.setTimeout(90_000)
    const context = await browser
      .newContext({ ignoreHTTPSErrors: true, permissions: ['local-network-access'] })
      .catch(() => browser.newContext())
    const page = await context.newPage()
    const heard: Record<string, string> = {}
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
      heard[origin] = await embeddedAt(page, `${origin}/`)
    heard['a sandboxed page'] = await embeddedAt(page, 'https://shop.example/', {
      headers: { 'content-security-policy': 'sandbox allow-scripts' },
    })
    heard['a frame of no origin in the shop'] = await embeddedAt(page, 'https://shop.example/', {
      around: '<iframe srcdoc="INNER" sandbox="allow-scripts"></iframe>',
    })
    heard['the shop inside another page'] = await embeddedAt(page, 'https://evil.example/', {
      around: '<iframe src="https://shop.example/"></iframe>',
    })
    const may = Object.keys(heard).filter((who) => heard[who] === 'READY')
    expect(may).toEqual(['https://shop.example', 'https://a.bakery.example'])
    await context.close()
  })

  test('a host without leave for passkeys gets the frame, and the frame no passkey', async ({ browser }) => {
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

test('everything that the keys origin serves says who may frame it, and shares nothing', async ({ page, world }) => {
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

test.describe('hands that are led', () => {
  async function asked(page: Page, world: Parameters<typeof openWire>[1]): Promise<Wire> {
    const wire = await openWire(page, world)
    const { payload: user } = await wire.logIn(someone('led'))
    await wire.start('sign', { method: 'personal_sign', params: [stringToHex('look'), user.address], ...local })
    return wire
  }
  const frameAt = (page: Page, css: string) =>
    page.evaluate((css) => {
      const frame = document.querySelector('iframe')
      if (frame) frame.style.cssText = css
    }, css)
  const signOf = (wire: Wire) => wire.frame.getByRole('button', { name: 'Sign', exact: true })

  test('a frame that shines through by 1 to 99 in 100, or is bent, takes no yes', async ({ page, world }) => {
    test.setTimeout(60_000)
    const wire = await asked(page, world)
    await expect(signOf(wire)).not.toHaveAttribute('aria-disabled', 'true')
    for (const css of [
      ...[1, 10, 30, 50, 70, 90, 99].map((percent) => `opacity: ${percent}%`),
      'transform: skewX(2deg)',
      'transform: rotateY(180deg)',
      'transform: perspective(200px) translateZ(20px)',
      'filter: contrast(0.1)',
      'mix-blend-mode: multiply',
      'mask: linear-gradient(#000, #0000)',
    ]) {
      await frameAt(page, css)
      await expect(signOf(wire), css).toHaveAttribute('aria-disabled', 'true')
    }
    await frameAt(page, '')
    await expect(signOf(wire)).not.toHaveAttribute('aria-disabled', 'true')
  })

  test('the second half of a double click does not count, nor a press that began outside', async ({ page, world }) => {
    const wire = await asked(page, world)
    const sign = signOf(wire)
    await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
    const box = await sign.boundingBox()
    if (!box) throw new Error('The button is nowhere.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    // A decoy over the button, which goes at the first press.
    await page.evaluate(() => {
      const decoy = document.createElement('button')
      decoy.textContent = 'Double click for a prize'
      decoy.style.cssText = 'position: fixed; inset: 0; z-index: 9'
      decoy.onclick = () => decoy.remove()
      document.body.append(decoy)
    })
    await expect(sign).toHaveAttribute('aria-disabled', 'true')
    await page.mouse.dblclick(x, y)
    await expect(sign).toBeVisible()
    // Pressed on the page, let go on the button.
    await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
    await page.mouse.move(900, 800)
    await page.mouse.down()
    await page.mouse.move(x, y)
    await page.mouse.up()
    await expect(sign).toBeVisible()
    await wire.frame.getByRole('button', { name: 'Cancel' }).click()
    expect((await wire.answer('sign')).type).toBe('@w3m-frame/RPC_REQUEST_ERROR')
  })

  test('a frame that is pushed under a pointer that rests takes no press', async ({ page, world }) => {
    const wire = await asked(page, world)
    const sign = signOf(wire)
    await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
    const box = await sign.boundingBox()
    if (!box) throw new Error('The button is nowhere.')
    // The pointer plays a game elsewhere on the page; between two of its clicks the frame jumps below it.
    await page.mouse.move(900, 600)
    await page.mouse.down()
    await page.mouse.up()
    await frameAt(
      page,
      `transform: none; left: ${20 + 900 - (box.x + box.width / 2)}px; top: ${20 + 600 - (box.y + box.height / 2)}px`,
    )
    await page.mouse.down()
    await page.mouse.up()
    await expect(sign).toBeVisible()
    expect(await Promise.race([wire.answer('sign'), page.evaluate(() => 'nothing yet')])).toBe('nothing yet')
  })
})
