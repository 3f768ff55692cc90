import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Frame, type Page, test } from '@playwright/test'
import { requestWorld } from './support/fixtures.ts'
import { openFramePageAt } from './support/framePage.ts'
import { installMessageAttack } from './support/messageAttack.ts'
import { startTestServer, type TestServer } from './support/testServer.ts'

// Fuzzes the message handlers of the frame and the page with everything that other windows can send. One in a hundred messages is
// valid and must be answered. The other messages must not change any store, storage, document or database.

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
/** The number of messages per test. */
const wanted = Number(process.env.FUZZ_COUNT ?? 60_000)

let server: TestServer
let folder: string
let context: BrowserContext

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000)
  folder = await mkdtemp(join(tmpdir(), 'latchkey-fuzz-'))
  const world = await requestWorld()
  const node = world.facts.chains[0].rpcUrls.default.http[0]
  server = await startTestServer({ dataFolder: join(folder, 'data'), rpcUrls: `eip155:31337=${node}` })
  context = await browser.newContext()
  await context.addInitScript(installMessageAttack)
  // The frame accepts one hundred messages per second. Speed up its clock by a factor of fifty so that it does not reject valid
  // requests.
  await context.addInitScript(() => {
    const now = performance.now.bind(performance)
    if (location.host.startsWith('keys.') && location.pathname === '/sdk')
      Object.defineProperty(performance, 'now', { value: () => now() * 50 })
  })
  // Attackers can be on a different site, or at the keys origin if they were able to upload a page there.
  await context.route(
    (url) => url.pathname === '/plain.html' && url.host.startsWith('keys.'),
    (route) => route.fulfill({ contentType: 'text/html', body: plainFrame }),
  )
  await context.route(
    (url) => url.pathname === '/attack.html',
    (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Attack</title>' }),
  )
})

test.afterAll(async () => {
  await context?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the frame only processes valid messages, and only from the page that embeds it', async () => {
  test.setTimeout(120_000)
  const page = await context.newPage()
  const framePage = await openFramePageAt(page, server)
  const { payload: user } = await framePage.logIn('ada@bakery.example')
  const attackers = await standAround(page, { popupOpens: 'opener frame' })
  const recorded = [
    { type: '@w3m-app/SIGN_OUT', id: 'evil-recorded' },
    { type: '@w3m-app/GET_USER', id: 'evil-user', payload: { chainId: 31337 } },
    { type: '@w3m-app/RPC_ABORT' },
  ]
  const before = await traces(page)
  const share = Math.ceil((wanted * 0.9) / attackers.length)
  const started = Date.now()
  const fire = Promise.all(
    attackers.map(({ frame, at }, index) =>
      frame.evaluate((options) => window.hostile.attack(options), {
        seed: seed + index,
        count: share,
        at,
        side: 'frame' as const,
        recorded,
        malformed: false,
      }),
    ),
  )
  // Meanwhile, the page sends valid requests, mixed with messages that a buggy page might send.
  const honest = await page.evaluate(
    async ([asks, nonsense, seed]) => {
      let [good, bad] = [0, 0]
      const sent: unknown[] = []
      for (let at = 0; at < asks; at++) {
        const name = at % 3 ? 'GET_CHAIN_ID' : 'IS_CONNECTED'
        const { type, payload } = await window.framePage.request(name, undefined, `good-${at}`)
        const result = payload as { chainId?: number; isConnected?: boolean } | undefined
        if (type === `@w3m-frame/${name}_SUCCESS` && (result?.chainId === 31337 || result?.isConnected === true))
          good += 1
        sent.push({ type: `@w3m-app/${name}`, id: `good-${at}` })
        bad += await window.hostile.attack({
          seed: seed + 100 + at,
          count: nonsense,
          at: 'frame',
          side: 'frame',
          recorded: sent.slice(-20),
          malformed: true,
        })
      }
      const answers = window.framePage.log.filter(({ id }) => id?.startsWith('good-')).length
      const evil = window.framePage.log.filter(({ id, type }) => !id?.startsWith('good-') && type.endsWith('_SUCCESS'))
      const huge = window.framePage.log.filter(({ id }) => id === 'evil-huge').length
      return { good, bad, answers, huge, evil: evil.map(({ type }) => type) }
    },
    [wanted / 100, 10, seed] as const,
  )
  const hostile = (await fire).reduce((sum, count) => sum + count, honest.bad)
  report('frame', hostile, honest.good, started)
  expect(hostile + honest.good).toBeGreaterThanOrEqual(wanted)
  expect([honest.good, honest.answers, honest.huge]).toEqual([wanted / 100, wanted / 100, 0])
  // Ignore the responses to requests that were sent before the attack.
  expect(honest.evil.filter((type) => !/CONNECT_EMAIL|CONNECT_OTP|GET_USER/.test(type))).toEqual([])
  for (const { frame, who } of attackers) expect(await frame.evaluate(() => window.hostile.received), who).toEqual([])
  expect(await traces(page)).toEqual(before)
  // The frame still responds.
  expect((await framePage.request('GET_USER', { chainId: 31337 })).payload.address).toBe(user.address)
  await page.close()
})

test('the page only processes messages from its own frame, and only as responses to its requests', async () => {
  test.setTimeout(120_000)
  const page = await context.newPage()
  await page.goto(`${server.pages}/messageFuzz.html`)
  await page.waitForFunction(() => window.fuzz !== undefined)
  await page.evaluate(() => window.fuzz.begin('bob@bakery.example'))
  const address = await page.evaluate((otp) => window.fuzz.finish(otp), server.codeFor('bob@bakery.example'))
  expect(address).toMatch(/^0x/)
  const attackers = await standAround(page, { popupOpens: 'opener' })
  attackers.push({ who: 'the page itself', frame: page.mainFrame(), at: 'self' })
  const frame = page.frames().find((candidate) => candidate.url().startsWith(`${server.keys}/sdk`))
  if (!frame) throw new Error('The frame was not found.')
  // After the switch to the port, the page ignores every window message from the frame except READY.
  attackers.push({ who: 'the frame itself', frame, at: 'parent', malformed: true })
  const before = await traces(page)
  const started = Date.now()
  const share = Math.ceil(wanted / attackers.length)
  const recorded = [
    { type: '@w3m-frame/SIGN_OUT_SUCCESS', id: 'evil-recorded' },
    { type: '@w3m-frame/READY', payload: {} },
  ]
  const fire = Promise.all(
    attackers.map(({ frame, at, malformed = false }, index) =>
      frame.evaluate((options) => window.hostile.attack(options), {
        seed: seed + 1000 + index,
        count: share,
        at,
        side: 'page' as const,
        recorded: malformed ? recorded.slice(0, 1) : recorded,
        malformed,
      }),
    ),
  )
  const good = await page.evaluate(async (asks) => {
    let good = 0
    for (let at = 0; at < asks; at++) if (await window.fuzz.ask(at)) good += 1
    return good
  }, wanted / 100)
  const hostile = (await fire).reduce((sum, count) => sum + count, 0)
  report('page', hostile, good, started)
  expect(hostile).toBeGreaterThanOrEqual(wanted)
  expect(good).toBe(wanted / 100)
  expect(await traces(page)).toEqual(before)
  await page.close()
})

test('if the frame does not use a port, the page ignores unsolicited responses', async () => {
  test.setTimeout(120_000)
  const page = await context.newPage()
  // Remove connections that an earlier page stored. The page would keep trying to restore them, because this frame has no user.
  await page.addInitScript(() => localStorage.clear())
  await page.goto(`${server.pages}/messageFuzz.html?frame=plain.html`)
  await page.waitForFunction(() => window.fuzz !== undefined)
  await page.evaluate(() => window.fuzz.initialised())
  const before = await traces(page)
  const started = Date.now()
  const asks = wanted / 600
  const good = await page.evaluate(async (asks) => {
    let good = 0
    for (let at = 0; at < asks; at++) if (await window.fuzz.ask(at)) good += 1
    return good
  }, asks)
  const hostile = await page.frames()[1]?.evaluate(() => (window as unknown as { posted: number }).posted)
  report('page', hostile ?? 0, good, started)
  expect(good).toBe(asks)
  expect(hostile).toBeGreaterThanOrEqual(99 * asks)
  expect(await traces(page)).toEqual(before)
  await page.close()
})

/** A frame that posts 99 unsolicited messages, including its earlier responses, before it responds to a request. */
const plainFrame = `<!doctype html><title>Plain</title><script>
  const page = document.referrer.replace(/\\/$/, '')
  const answers = {
    IS_CONNECTED: { isConnected: true }, GET_CHAIN_ID: { chainId: 31337 }, RPC_REQUEST: '0x7a69',
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: { smartAccountEnabledNetworks: [] },
  }
  let requests = 0
  window.posted = 0
  const sent = []
  onmessage = async ({ data, origin, source }) => {
    const name = data && typeof data.type === 'string' && data.type.startsWith('@w3m-app/') ? data.type.slice(9) : undefined
    if (origin !== page || source !== parent || !name) return
    const answer = { type: '@w3m-frame/' + name + '_SUCCESS', id: data.id, payload: answers[name] }
    if (name in answers && name[0] !== 'G' || name === 'GET_CHAIN_ID')
      window.posted += await hostile.attack({ seed: requests++, count: 99, at: 'parent', side: 'page', recorded: sent.slice(-20), malformed: true })
    // Post the right ID with a different type, then the response.
    if (name === 'GET_CHAIN_ID') parent.postMessage({ ...answer, type: '@w3m-frame/SIGN_OUT_SUCCESS' }, origin)
    parent.postMessage(answer, origin)
    sent.push(answer, { ...answer, type: '@w3m-frame/SIGN_OUT_SUCCESS' })
  }
  parent.postMessage({ type: '@w3m-frame/READY', payload: { version: '4' } }, page)
</script>`

interface Attacker {
  readonly who: string
  readonly frame: Frame
  readonly at: Parameters<Window['hostile']['attack']>[0]['at']
  readonly malformed?: boolean
}

/** Opens every kind of window that can post messages to a page, including frames and popups. */
async function standAround(page: Page, { popupOpens }: { popupOpens: 'opener' | 'opener frame' }): Promise<Attacker[]> {
  const port = server.port
  const at = popupOpens === 'opener' ? 'parent' : 'parent frame'
  const frames: readonly (readonly [who: string, attributes: Readonly<Record<string, string>>])[] = [
    ['a frame of another site', { src: `http://evil.localhost:${port}/attack.html` }],
    ['a frame of the same site', { src: `http://ads.demo.localhost:${port}/attack.html` }],
    ['another frame of the keys origin', { src: `http://keys.demo.localhost:${port}/attack.html` }],
    ['a frame with an opaque origin', { src: `http://evil.localhost:${port}/attack.html`, sandbox: 'allow-scripts' }],
    ['a sandboxed srcdoc frame', { srcdoc: '<!doctype html><title>Attack</title>', sandbox: 'allow-scripts' }],
    ['a srcdoc frame of the page', { srcdoc: '<!doctype html><title>Attack</title>' }],
  ]
  const attackers: Attacker[] = []
  for (const [who, attributes] of frames) {
    const name = `attacker-${attackers.length}`
    await page.evaluate(
      ([name, attributes]) =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe')
          for (const [key, value] of Object.entries({ ...attributes, name })) frame.setAttribute(key, value)
          frame.onload = resolve
          document.body.append(frame)
        }),
      [name, attributes] as const,
    )
    // Playwright might detect the frame later than the page does.
    await expect.poll(() => page.frame({ name }) !== null, who).toBe(true)
    const frame = page.frame({ name })
    if (!frame) throw new Error(`${who} did not load.`)
    attackers.push({ who, frame, at })
  }
  for (const host of ['evil.localhost', 'keys.demo.localhost']) {
    const opens = page.waitForEvent('popup')
    await page.evaluate((url) => void window.open(url), `http://${host}:${port}/attack.html`)
    const popup = await opens
    await popup.waitForLoadState()
    attackers.push({ who: `a popup of ${host}`, frame: popup.mainFrame(), at: popupOpens })
  }
  return attackers
}

/** Returns all of the state that an attack could change. */
async function traces(page: Page): Promise<Readonly<Record<string, unknown>>> {
  const state = await page.evaluate(() => ('fuzz' in window ? window.fuzz.state() : ''))
  const cookies = (await context.cookies()).map(({ name, value, domain }) => `${domain} ${name}=${value}`).sort()
  const frames = page
    .frames()
    .filter((frame) => !frame.name().startsWith('attacker') && !frame.url().endsWith('/attack.html'))
  const windows = await Promise.all(frames.map((frame) => frame.evaluate(tracesOfWindow)))
  const tables = await server.query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const rows: Record<string, unknown> = {}
  for (const { name } of tables) rows[String(name)] = await server.query(`select * from "${name}" order by 1, 2`)
  return { state, cookies, windows, rows, mails: server.mails.length }
}

async function tracesOfWindow(): Promise<unknown> {
  const textOf = (node: Document | ShadowRoot | Element): string => {
    const inside = [...node.querySelectorAll('*')].flatMap((element) => element.shadowRoot ?? [])
    const own =
      node instanceof Document ? node.documentElement.outerHTML : node instanceof ShadowRoot ? node.innerHTML : ''
    return [own, ...inside.map(textOf)].join('\n')
  }
  const stored: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    for (const table of database.objectStoreNames) {
      const all = database.transaction(table).objectStore(table)
      const [keys, values] = await Promise.all(
        [all.getAllKeys(), all.getAll()].map(
          (options) =>
            new Promise((resolve, reject) => {
              options.onsuccess = () => resolve(JSON.stringify(options.result))
              options.onerror = () => reject(options.error)
            }),
        ),
      )
      stored.push([name, table, keys, values])
    }
    database.close()
  }
  return {
    url: location.href,
    // The frame preloads its own code, regardless of any messages.
    document: textOf(document).replace(/<link rel="(modulepreload|stylesheet)"[^>]*>/g, ''),
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    stored,
    polluted: 'polluted' in {} || 'isConnected' in {},
    history: history.length,
  }
}

function report(side: string, hostile: number, good: number, started: number): void {
  process.stdout.write(
    `\nmessage fuzz, ${side}: seed ${seed}, ${hostile} hostile, ${good} valid and answered, ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
  )
}
