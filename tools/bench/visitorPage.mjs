// Measures how long visitors of a page with the README's quickstart wait for the modal, the list of all wallets and the search,
// and what the page downloads. The same run measures the smallest modal with the same list and another kit. Some goals are
// relative to the smallest modal, and others are absolute times or sizes.

import { gzipSize } from '../pageChunks.mjs'
import { buildKitPages, buildPages } from './buildPages.mjs'
import { directorySize, directoryWallet, serveDirectory, servePages } from './localServers.mjs'
import { announcedWallets } from './pages.mjs'

/** The CPU slowdown that simulates a mid-range phone. */
const slowdown = 4
/** A slow mobile network. Throughput is in bytes per second, and latency is in ms. */
const slowNetwork = { offline: false, downloadThroughput: 200_000, uploadThroughput: 90_000, latency: 150 }
/** The duration of two frames at 60 Hz, in ms. */
const twoFrames = 2 * (1000 / 60)
/** How long the main thread is measured after the click, in ms. */
const settledMs = 2_500

/** @typedef {{ button: string, rows: readonly string[], listsAll: boolean, bare: string }} Kit */

/** @type {Readonly<Record<string, Kit>>} */
const kits = {
  minimal: {
    button: 'Connect',
    rows: [...announcedWallets, 'WalletConnect', 'All wallets'],
    listsAll: true,
    bare: 'bare',
  },
  quickstart: {
    button: 'Connect wallet',
    rows: [...announcedWallets, 'WalletConnect', 'All wallets'],
    listsAll: true,
    bare: 'bare',
  },
  quick: {
    button: 'Connect wallet',
    rows: [...announcedWallets, 'WalletConnect', 'All wallets'],
    listsAll: true,
    bare: 'bare',
  },
  rainbowkit: {
    button: 'Connect Wallet',
    rows: [...announcedWallets, 'WalletConnect'],
    listsAll: false,
    bare: 'kitBare',
  },
}
const ours = ['quickstart', 'quick']

/**
 * The name of a measurement. All measurements are times in ms.
 * @typedef {'first' | 'second' | 'throttled' | 'slow' | 'mainThread' | 'list' | 'search' | 'merged'} Measure
 */
/** @typedef {{ until: number, afterwards: number, foreign: readonly string[] }} Downloads bytes over React, and requests to other hosts */

/** @param {readonly number[]} list */
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

/**
 * Runs in the page before the page's own scripts. Announces the wallets and provides `bench.shown()`.
 * @param {readonly string[]} names
 */
function preparePage(names) {
  const icon =
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Ccircle cx="4" cy="4" r="4" fill="%23276"/%3E%3C/svg%3E'
  const announce = () => {
    for (const [at, name] of names.entries()) {
      const info = { uuid: `00000000-0000-4000-8000-00000000000${at}`, name, icon, rdns: `example.bench${at}` }
      const provider = { request: () => new Promise(() => {}), on() {}, removeListener() {} }
      const detail = Object.freeze({ info, provider })
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    }
  }
  addEventListener('eip6963:requestProvider', announce)
  announce()

  /** @param {Element} element */
  const isVisible = (element) => {
    const { width, top, bottom } = element.getBoundingClientRect()
    if (width === 0 || bottom <= 0 || top >= innerHeight) return false
    if (!element.checkVisibility({ visibilityProperty: true })) return false
    let opacity = 1
    for (let node = /** @type {Element | null} */ (element); node; ) {
      opacity *= Number(getComputedStyle(node).opacity)
      const container = node.getRootNode()
      node = node.parentElement ?? (container instanceof ShadowRoot ? container.host : null)
    }
    return opacity >= 0.9
  }
  /**
   * Removes the strings that are displayed from `missing`.
   * @param {ParentNode & Node} container
   * @param {Set<string>} missing
   */
  const remove = (container, missing) => {
    const walker = document.createTreeWalker(container, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node && missing.size > 0; node = walker.nextNode()) {
      if (node instanceof Element) {
        if (node.shadowRoot) remove(node.shadowRoot, missing)
      } else {
        const text = node.nodeValue?.trim() ?? ''
        if (missing.has(text) && node.parentElement && isVisible(node.parentElement)) missing.delete(text)
      }
    }
  }
  /**
   * Resolves to the time from the next event of the given type to the frame after all strings in `texts` are displayed, in ms.
   * @param {string} type
   * @param {readonly string[]} texts
   * @returns {Promise<number>}
   */
  const shown = (type, texts) =>
    new Promise((resolve) => {
      addEventListener(
        type,
        ({ timeStamp }) => {
          const look = () => {
            const missing = new Set(texts)
            remove(document, missing)
            requestAnimationFrame(missing.size > 0 ? look : () => resolve(performance.now() - timeStamp))
          }
          requestAnimationFrame(look)
        },
        { capture: true, once: true },
      )
    })
  Object.assign(window, { bench: { shown } })
}

/** An open page. */
class Visit {
  /**
   * @param {import('playwright').Page} page
   * @param {import('playwright').CDPSession} client
   * @param {Kit} kit
   */
  constructor(page, client, kit) {
    this.page = page
    this.client = client
    this.kit = kit
  }

  /**
   * Opens a page and waits until it has fetched everything that it fetches without user interaction.
   * @param {{ browser: import('playwright').Browser, url: string, origin: string, kit: Kit, log?: (request: import('playwright').Request) => void }} params
   */
  static async open({ browser, url, origin, kit, log }) {
    const context = await browser.newContext({ viewport: { width: 1000, height: 800 } })
    await context.addInitScript(preparePage, announcedWallets)
    // Hosts other than ours are not part of the measurement, and tests have no internet.
    await context.route(
      (address) => address.hostname !== new URL(origin).hostname && address.protocol !== 'data:',
      (route) => route.abort(),
    )
    const page = await context.newPage()
    if (log) page.on('request', log)
    await page.goto(url)
    await page.getByRole('button', { name: kit.button, exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    // Also wait for what the page fetches when it is idle.
    await page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300), { timeout: 5_000 })),
    )
    await page.waitForLoadState('networkidle')
    return new Visit(page, await context.newCDPSession(page), kit)
  }

  async close() {
    await this.page.context().close()
  }

  /** @param {{ network: boolean }} params */
  async slowDown({ network }) {
    await this.client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    if (!network) return
    await this.client.send('Network.enable')
    await this.client.send('Network.emulateNetworkConditions', slowNetwork)
  }

  /**
   * Performs `action`. Resolves to the time from the event that it causes until all strings in `texts` are displayed, in ms.
   * @param {string} type
   * @param {readonly string[]} texts
   * @param {() => Promise<unknown>} action
   * @returns {Promise<number>}
   */
  async timed(type, texts, action) {
    await this.page.evaluate(
      ([type, texts]) => {
        const { bench } = /** @type {any} */ (window)
        bench.last = bench.shown(type, texts)
      },
      /** @type {const} */ ([type, texts]),
    )
    await action()
    return this.page.evaluate(() => /** @type {any} */ (window).bench.last)
  }

  /** Clicks the connect button like a user, whose pointer is over the button for at least 100 ms before the click. */
  async connect() {
    const button = this.page.getByRole('button', { name: this.kit.button, exact: true })
    await button.hover()
    await this.page.waitForTimeout(100)
    await button.click()
  }

  /** Clicks the connect button. Resolves to the time until the whole list is displayed, in ms. */
  click() {
    return this.timed('click', this.kit.rows, () => this.connect())
  }

  /** Resolves to the total duration of the main thread's tasks so far, in ms. */
  async mainThread() {
    const { metrics } = await this.client.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
}

/**
 * Takes each measurement on a page once.
 * @param {Omit<Parameters<typeof Visit.open>[0], 'log'>} target
 * @returns {Promise<Partial<Record<Measure, number>>>}
 */
async function visit(target) {
  /** @type {Partial<Record<Measure, number>>} */
  const times = {}
  const { kit } = target
  const fast = await Visit.open(target)
  times.first = await fast.click()
  await fast.page.waitForTimeout(500)
  await fast.page.keyboard.press('Escape')
  await fast.page
    .getByText(announcedWallets[0] ?? '', { exact: true })
    .first()
    .waitFor({ state: 'hidden' })
  times.second = await fast.click()
  if (kit.listsAll) {
    await fast.page.getByText(String(directorySize), { exact: true }).first().waitFor()
    await fast.page.waitForLoadState('networkidle')
    await fast.page.waitForTimeout(500)
    const tiles = [0, 1, 2, 3, 4, 5, 6].map(directoryWallet)
    times.list = await fast.timed('click', tiles, () => fast.page.getByRole('button', { name: /^All wallets/ }).click())
    await fast.page.waitForTimeout(500)
    // The wallet is loaded, but below the visible part of the list.
    const loaded = directoryWallet(35)
    times.search = await fast.timed('input', [loaded], () => fast.page.getByRole('textbox').fill(loaded))
    // This wallet has not been loaded, so only the server can find it.
    const unloaded = directoryWallet(directorySize - 5)
    times.merged = await fast.timed('input', [unloaded], () => fast.page.getByRole('textbox').fill(unloaded))
  }
  await fast.close()

  for (const [measure, network] of /** @type {const} */ ([
    ['throttled', false],
    ['slow', true],
  ])) {
    const slow = await Visit.open(target)
    await slow.slowDown({ network })
    times[measure] = await slow.click()
    await slow.close()
  }

  const busy = await Visit.open(target)
  await busy.client.send('Performance.enable')
  await busy.slowDown({ network: false })
  const before = await busy.mainThread()
  await busy.connect()
  await busy.page.waitForTimeout(settledMs)
  times.mainThread = (await busy.mainThread()) - before
  await busy.close()
  return times
}

/**
 * Resolves to what a page downloads before the user clicks.
 * @param {Omit<Parameters<typeof Visit.open>[0], 'log'>} target
 * @param {import('./buildPages.mjs').BuiltPage} built
 * @param {number} bareGzip
 * @returns {Promise<Downloads>}
 */
async function downloads(target, built, bareGzip) {
  /** @type {import('playwright').Request[]} */
  const requests = []
  const page = await Visit.open({ ...target, log: (request) => requests.push(request) })
  const foreign = requests
    .filter((request) => !request.url().startsWith('data:') && new URL(request.url()).origin !== target.origin)
    .map((request) => request.url())
  let afterwards = 0
  for (const request of requests) {
    const { origin, pathname } = new URL(request.url())
    if (origin !== target.origin || built.entryFiles.has(pathname) || !/\.(js|css)$/.test(pathname)) continue
    const response = await request.response()
    if (response) afterwards += gzipSize(await response.body())
  }
  await page.close()
  return { until: built.entryGzip - bareGzip, afterwards, foreign }
}

/**
 * Measures the pages. Calls `report` for each goal.
 * @param {{ browser: import('playwright').Browser, rounds: number, say(line: string): void, report(fine: boolean, line: string): void, note(line: string): void }} params
 */
export async function measureVisitorPage({ browser, rounds, say, report, note }) {
  say('Building the visitor’s pages')
  const own = await buildPages(['bare', 'minimal', 'quickstart', 'quick', 'viemChains'])
  const other = await buildKitPages()
  const site = await servePages(own.folder, other.folder)
  const directory = await serveDirectory()
  const built = new Map([...own.pages, ...other.pages])
  /** @param {string} name */
  const targetOf = (name) => ({
    browser,
    url: `${site.base}/${name}/?server=${encodeURIComponent(directory.base)}`,
    origin: site.base,
    kit: /** @type {Kit} */ (kits[name]),
  })
  try {
    /** @type {Record<string, Downloads>} */
    const bytes = {}
    for (const [name, { bare }] of Object.entries(kits)) {
      const page = built.get(name)
      if (page) bytes[name] = await downloads(targetOf(name), page, built.get(bare)?.entryGzip ?? Number.NaN)
    }
    const withViemChains = (built.get('viemChains')?.entryGzip ?? Number.NaN) - (built.get('bare')?.entryGzip ?? 0)
    say(`Visiting the pages, ${rounds} rounds`)
    /** @type {Record<string, Partial<Record<Measure, number>>[]>} */
    const rows = Object.fromEntries(Object.keys(kits).map((name) => [name, []]))
    // Alternate between the pages, so that other load on the machine affects all pages equally.
    for (let round = 0; round < rounds; round += 1)
      for (const name of Object.keys(kits)) rows[name]?.push(await visit(targetOf(name)))
    reportAll({ bytes, rows, rounds, report, note, missing: other.missing })
    note(
      `  quickstart with the chains of viem/chains, over React until the button: ${(withViemChains / 1000).toFixed(1)} kB`,
    )
  } finally {
    await site.close()
    await directory.close()
    own.remove()
    other.remove()
  }
}

/**
 * @param {{ bytes: Readonly<Record<string, Downloads>>, rows: Readonly<Record<string, readonly Partial<Record<Measure, number>>[]>>, rounds: number, missing: readonly string[] } & Pick<Parameters<typeof measureVisitorPage>[0], 'report' | 'note'>} measured
 */
function reportAll({ bytes, rows, rounds, missing, report, note }) {
  /** @type {(name: string, measure: Measure) => number} */
  const of = (name, measure) => median((rows[name] ?? []).flatMap((times) => times[measure] ?? []))
  const ms = (/** @type {number} */ value) => `${value.toFixed(0)} ms`
  const kB = (/** @type {number} */ value) => `${(value / 1000).toFixed(1)} kB`
  const beside = (/** @type {Measure} */ measure) =>
    `smallest modal ${ms(of('minimal', measure))}, RainbowKit ${ms(of('rainbowkit', measure))}`
  note(`Medians of ${rounds} interleaved rounds. RainbowKit is built without ${missing.join(', ')}.`)

  for (const name of ours) {
    const what = name === 'quick' ? 'quick' : 'quickstart'
    for (const [measure, when] of /** @type {const} */ ([
      ['first', 'first click'],
      ['second', 'second click'],
    ])) {
      const more = of(name, measure) - of('minimal', measure)
      report(
        more <= twoFrames,
        `${what}, ${when} → full list at full speed: ${ms(of(name, measure))}, ${beside(measure)}; ${ms(more)} more (at most ${ms(twoFrames)})`,
      )
    }
    for (const [measure, when] of /** @type {const} */ ([
      ['throttled', `click → full list at ${slowdown}× CPU`],
      ['slow', `click → full list on a slow network at ${slowdown}× CPU`],
      ['mainThread', `main-thread time of the click at ${slowdown}× CPU`],
    ])) {
      const ratio = of(name, measure) / of('minimal', measure)
      const theirs = of('rainbowkit', measure) / of('minimal', measure)
      report(
        ratio <= 1.5,
        `${what}, ${when}: ${ms(of(name, measure))}, ${beside(measure)}; ratio ${ratio.toFixed(2)} (at most 1.50), RainbowKit ${theirs.toFixed(2)}`,
      )
    }
    for (const [measure, when] of /** @type {const} */ ([
      ['list', 'click on “All wallets” → list'],
      ['search', 'search → answer from what is loaded'],
    ]))
      report(
        of(name, measure) <= 50,
        `${what}, ${when}: ${ms(of(name, measure))}, smallest modal ${ms(of('minimal', measure))} (at most 50 ms)`,
      )
    note(
      `  ${what}, search → the server’s answer: ${ms(of(name, 'merged'))}, smallest modal ${ms(of('minimal', 'merged'))}`,
    )
    const { until = Number.NaN, afterwards = Number.NaN, foreign = [] } = bytes[name] ?? {}
    const others = (/** @type {'until' | 'afterwards'} */ key) =>
      `RainbowKit ${kB(bytes.rainbowkit?.[key] ?? Number.NaN)}`
    report(until <= 20_000, `${what}, over React until the button: ${kB(until)} (at most 20), ${others('until')}`)
    report(
      afterwards <= 25_000,
      `${what}, then fetched by itself before a click: ${kB(afterwards)} (at most 25), ${others('afterwards')}`,
    )
    report(
      foreign.length === 0,
      `${what}, requests to other hosts before a click: ${foreign.length}${foreign.map((url) => ` ${url}`).join('')} (at most 0), RainbowKit ${bytes.rainbowkit?.foreign.length}`,
    )
  }
}
