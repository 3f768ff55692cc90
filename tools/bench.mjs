// `npm run bench`: measures performance as ratios within one run, because absolute numbers depend on the machine. Not part of
// `npm test`. `npm run bench -- page list` runs only the parts `page` and `list`, and `npm run bench -- server` runs all parts of
// the server. Exits with code 1 if a goal is missed.

import { chromium } from 'playwright'
import { buildPages } from './bench/buildPages.mjs'
import { servePages } from './bench/localServers.mjs'
import { serverParts } from './bench/server.mjs'
import { measureVisitorPage } from './bench/visitorPage.mjs'
import { clientSizes } from './bench/walletConnectClientSizes.mjs'
import { Stop, say, script } from './bootstrap.mjs'

const slowdown = 4

let missed = 0
/** @type {(line: string) => void} */
const note = (line) => void process.stdout.write(`${line}\n`)
/** @type {(fine: boolean, line: string) => void} */
const report = (fine, line) => {
  if (!fine) missed += 1
  note(`${fine ? '✓' : '✗'} ${line}`)
}

/**
 * Scrolls to the end of the list, and returns the long tasks that occur while scrolling.
 * @param {import('playwright').Browser} browser
 * @param {string} url
 * @param {(page: import('playwright').Page) => Promise<unknown>} show resolves when the page shows the list
 */
async function scrollTasks(browser, url, show) {
  const page = await (await browser.newContext({ viewport: { width: 800, height: 800 } })).newPage()
  await page.goto(url)
  await show(page)
  await page.waitForLoadState('networkidle')
  const client = await page.context().newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const answer = await page.evaluate(async () => {
    /** @type {number[]} */
    const long = []
    const watch = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)))
    watch.observe({ type: 'longtask' })
    /** @type {(where: ParentNode) => HTMLElement | undefined} */
    const scroller = (where) => {
      for (const element of where.querySelectorAll('*')) {
        if (element instanceof HTMLElement && element.classList.contains('virtual')) return element
        const inner = element.shadowRoot && scroller(element.shadowRoot)
        if (inner) return inner
      }
      return undefined
    }
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const list = scroller(document) ?? /** @type {HTMLElement} */ (document.scrollingElement)
    let still = 0
    let frames = 0
    while (still < 90 && frames < 3000) {
      const before = list.scrollTop
      list.scrollTop += 400
      await frame()
      frames += 1
      still = list.scrollTop === before ? still + 1 : 0
    }
    watch.disconnect()
    return { long, height: list.scrollHeight, frames }
  })
  await page.context().close()
  return answer
}

/**
 * Runs `task` with a browser.
 * @param {(browser: import('playwright').Browser) => Promise<void>} task
 */
async function withBrowser(task) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic'],
  })
  try {
    await task(browser)
  } finally {
    await browser.close()
  }
}

/** @type {Readonly<Record<string, () => Promise<void>>>} */
const parts = {
  page: () =>
    withBrowser((browser) =>
      measureVisitorPage({ browser, rounds: Number(process.env.ROUNDS ?? 7), say, report, note }),
    ),
  async list() {
    say('Lists with 10,000 wallets, 500 tokens and 10,000 transactions')
    const pages = await buildPages(['list', 'account'])
    const site = await servePages(pages.folder)
    /** @type {readonly (readonly [name: string, path: string, show: (page: import('playwright').Page) => Promise<unknown>])[]} */
    const lists = [
      ['AllWallets, 10,000 entries', '/list/', (page) => page.getByText('Wallet 0', { exact: true }).waitFor()],
      [
        'Account, 500 tokens',
        '/account/?view=Account',
        async (page) => {
          await page.getByRole('button', { name: 'Show all 500 tokens' }).click()
          await page.locator('.virtual').waitFor()
        },
      ],
      [
        'Transactions, 10,000 on pages of 50',
        '/account/?view=Transactions',
        (page) => page.locator('.virtual').waitFor(),
      ],
    ]
    try {
      await withBrowser(async (browser) => {
        for (const [name, path, show] of lists) {
          const { long, height, frames } = await scrollTasks(browser, `${site.base}${path}`, show)
          report(
            long.length === 0,
            `${name}, ${frames} frames to ${height} px at ${slowdown}× throttle: ${long.length} long tasks${long.length > 0 ? ` (longest ${Math.max(...long).toFixed(0)} ms)` : ''} (at most 0)`,
          )
        }
      })
    } finally {
      await site.close()
      pages.remove()
    }
  },
  ...serverParts(report),
  async client() {
    say('WalletConnect: our client compared with the official one')
    const { ours, theirs } = await clientSizes()
    const kB = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(1)
    report(
      ours <= 20_000,
      `client with all dependencies, gzip: ${kB(ours)} kB (at most 20), @walletconnect/sign-client 2.21.8 ${kB(theirs)} kB, ratio ${(ours / theirs).toFixed(2)}`,
    )
  },
}

await script(async () => {
  const names = process.argv.slice(2)
  const serverNames = Object.keys(serverParts(report))
  const requested = new Set(names.flatMap((name) => (name === 'server' ? serverNames : name)))
  const unknown = [...requested].find((name) => !Object.hasOwn(parts, name))
  if (unknown) throw new Stop(`There is no part ${unknown}. The parts: server, ${Object.keys(parts).join(', ')}.`)
  for (const [name, part] of Object.entries(parts)) if (requested.size === 0 || requested.has(name)) await part()
  return missed === 0 ? 0 : 1
})
