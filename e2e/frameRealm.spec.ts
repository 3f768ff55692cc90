import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Frame, Page } from '@playwright/test'
import { stringToHex } from 'viem'
import { expect, test } from './support/fixtures.ts'
import { openFramePage } from './support/framePage.ts'

// Only our own files can run in the frame's realm, which has access to the keys. Neither the host page nor text that the frame
// shows can run code there.

test.use({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  allowedConsole: async ({}, use) =>
    use([
      /status of (4\d\d|5\d\d)/,
      /Unrecognized feature/,
      /policy violation/,
      /Content Security policy/,
      /Content Security Policy|TrustedScript|TrustedHTML|requires? a '?Trusted/,
    ]),
})

function keysFrame(page: Page): Frame {
  const frame = page.frames().find((candidate) => new URL(candidate.url()).host.startsWith('keys.'))
  if (!frame) throw new Error('The frame was not found.')
  return frame
}

test('every script that the frame runs has the hash of a file in the published build', async ({ page, world }) => {
  test.setTimeout(90_000)
  const files = JSON.parse(await readFile(join(import.meta.dirname, '../packages/frame/dist/files.json'), 'utf8')) as {
    files: readonly { path: string; sha256: string }[]
  }
  const known = new Map(files.files.map(({ path, sha256 }) => [path, sha256]))
  const ran: { path: string; hash: Promise<string> }[] = []
  page.on('response', (response) => {
    const { host, pathname } = new URL(response.url())
    if (response.request().resourceType() !== 'script' || !response.frame().url().includes('keys.')) return
    expect(host.startsWith('keys.')).toBe(true)
    const hash = response.body().then((body) => createHash('sha256').update(body).digest('hex'))
    ran.push({ path: pathname, hash })
  })
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(`realm-${Date.now()}@bakery.example`)
  await framePage.start('sign', {
    method: 'personal_sign',
    params: [stringToHex('x'), user.address],
    chainId: 31337,
    chainNamespace: 'eip155',
  })
  await expect(framePage.frame.getByText('pages.demo.localhost').first()).toBeVisible({ timeout: 30_000 })
  expect(ran.length).toBeGreaterThan(5)
  for (const { path, hash } of ran) expect(known.get(path), path).toBe(await hash)
})

test('text cannot run as code in the frame through eval, inline or external scripts, or markup', async ({
  page,
  world,
}) => {
  await openFramePage(page, world)
  const frame = keysFrame(page)
  const tried = await frame.evaluate(async () => {
    // Continue in one of the frame's own tasks, because the CSP does not apply to the test's task.
    await new Promise((resolve) => setTimeout(resolve, 0))
    const refused = (action: () => unknown): string => {
      try {
        action()
        return 'ran'
      } catch (error) {
        return (error as Error).name
      }
    }
    const loads = (make: (script: HTMLScriptElement) => void) =>
      new Promise<string>((resolve) => {
        const script = document.createElement('script')
        script.onload = () => resolve('ran')
        script.onerror = () => resolve('refused')
        try {
          make(script)
        } catch (error) {
          return resolve((error as Error).name)
        }
        document.head.append(script)
      })
    return {
      // biome-ignore lint/security/noGlobalEval: checks that the CSP blocks it
      eval: refused(() => globalThis.eval('1')),
      Function: refused(() => new Function('return 1')()),
      markup: refused(() => {
        document.body.innerHTML = '<b>x</b>'
      }),
      policy: refused(() =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
        ).trustedTypes.createPolicy('x', {}),
      ),
      data: await loads((script) => {
        script.src = 'data:text/javascript,0'
      }),
      text: await loads((script) => {
        script.textContent = '0'
      }),
      module: await import(/* @vite-ignore */ 'data:text/javascript,export default 1' as string).then(
        () => 'ran',
        () => 'refused',
      ),
      foreign: await fetch('http://connect.demo.localhost/').then(
        () => 'reached',
        () => 'refused',
      ),
    }
  })
  expect(Object.values(tried)).not.toContain('ran')
  expect(tried).toMatchObject({
    eval: 'EvalError',
    data: 'TypeError',
    text: 'TypeError',
    module: 'refused',
    foreign: 'refused',
  })
})

test('changes that a page makes to its own realm do not affect the frame', async ({ page, world }) => {
  test.setTimeout(90_000)
  await page.addInitScript(() => {
    if (location.host.startsWith('keys.')) return
    const stolen: unknown[] = []
    Object.assign(window, { stolen })
    // These changes only affect the page, because the frame has its own realm.
    Object.defineProperty(Object.prototype, 'polluted', { value: true, configurable: true })
    for (const [owner, name] of [
      [Array.prototype, 'map'],
      [JSON, 'stringify'],
      [crypto.subtle, 'decrypt'],
      [crypto.subtle, 'importKey'],
    ] as unknown as [Record<string, (...all: unknown[]) => unknown>, string][]) {
      const own = owner[name] as (...all: unknown[]) => unknown
      owner[name] = function (this: unknown, ...all: unknown[]) {
        stolen.push(name)
        return own.apply(this, all)
      }
    }
  })
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(`pollute-${Date.now()}@bakery.example`)
  expect(user.address).toMatch(/^0x/)
  const frame = keysFrame(page)
  expect(
    await frame.evaluate(() => [
      'polluted' in {},
      /native code/.test(String(Array.prototype.map)),
      /native code/.test(String(JSON.stringify)),
      /native code/.test(String(crypto.subtle.decrypt)),
      /native code/.test(String(crypto.subtle.importKey)),
    ]),
  ).toEqual([false, true, true, true, true])
  // The page cannot access any property of the frame's window.
  const seen = await page.evaluate(() => {
    const inner = (document.querySelector('iframe') as HTMLIFrameElement).contentWindow as unknown as Record<
      string,
      unknown
    >
    return ['document', 'Object', 'localStorage', 'eval', 'crypto'].map((name) => {
      try {
        return typeof inner[name]
      } catch (error) {
        return (error as Error).name
      }
    })
  })
  expect(seen).toEqual(Array(5).fill('SecurityError'))
  // Messages to the frame cannot pollute its prototypes either.
  await page.evaluate(() => {
    const inner = (document.querySelector('iframe') as HTMLIFrameElement).contentWindow as Window
    const hostile = JSON.parse(
      '{"type":"@w3m-app/SYNC_THEME","payload":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    )
    inner.postMessage(hostile, '*')
  })
  await framePage.request('IS_CONNECTED')
  expect(await frame.evaluate(() => 'polluted' in {})).toBe(false)
})
