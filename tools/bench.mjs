// `npm run bench`: measures performance as ratios within one run, because absolute numbers depend on the machine. Not part of
// `npm test`.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { pages } from './bench/pages.mjs'
import { clientSizes } from './bench/walletConnectClientSizes.mjs'
import { root, run, say, script, toolEnv } from './bootstrap.mjs'

const rounds = Number(process.env.ROUNDS ?? 15)
const slowdown = 4

/** @param {readonly number[]} list */
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

/** Builds the pages and serves them. */
async function serve() {
  // The folder is inside e2e/, so that the pages can resolve the dependencies in e2e/package.json.
  const folder = join(root, 'e2e/.bench')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(pages)) {
    writeFileSync(join(folder, `${name}.js`), text)
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><div id="root"></div><script type="module" src="./${name}.js"></script></html>`
    writeFileSync(join(folder, `${name}.html`), page)
  }
  const conditions = ['@latchkey/source', 'module', 'browser', 'production']
  const input = Object.keys(pages).map((name) => join(folder, `${name}.html`))
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    build: { outDir: 'dist', target: 'es2022', rollupOptions: { input } },
  })
  const server = await preview({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir: 'dist' },
    preview: { port: 0, host: '127.0.0.1' },
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.httpServer.address())
  return {
    base: `http://127.0.0.1:${port}`,
    close: async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the time from the click's timestamp to the frame after the dialog has opened.
 * @param {import('playwright').Browser} browser
 * @param {string} url
 */
async function clickToDialog(browser, url) {
  const page = await (await browser.newContext()).newPage()
  await page.goto(url)
  const button = page.getByRole('button').first()
  // Hover first, as a user does, which prefetches the chunk.
  await button.hover()
  await page.waitForLoadState('networkidle')
  const client = await page.context().newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.evaluate(() => {
    const isOpen = (/** @type {ParentNode} */ where) => {
      if (where.querySelector('dialog[open]')) return true
      for (const element of where.querySelectorAll('*'))
        if (element.shadowRoot && isOpen(element.shadowRoot)) return true
      return false
    }
    const opened = new Promise((resolve) => {
      addEventListener(
        'click',
        ({ timeStamp }) => {
          const look = () =>
            isOpen(document)
              ? requestAnimationFrame(() => resolve(performance.now() - timeStamp))
              : requestAnimationFrame(look)
          requestAnimationFrame(look)
        },
        { capture: true, once: true },
      )
    })
    Object.assign(window, { opened })
  })
  await button.click()
  const ms = await page.evaluate(() => /** @type {Promise<number>} */ (/** @type {any} */ (window).opened))
  await page.context().close()
  return ms
}

/**
 * Scrolls to the end of the list, and returns the long tasks that occur while scrolling.
 * @param {import('playwright').Browser} browser
 * @param {string} url
 */
async function scrollTasks(browser, url) {
  const page = await (await browser.newContext({ viewport: { width: 800, height: 800 } })).newPage()
  await page.goto(url)
  await page.getByText('Wallet 0', { exact: true }).waitFor()
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
        if (
          element instanceof HTMLElement &&
          element.scrollHeight > element.clientHeight + 50 &&
          /auto|scroll/.test(getComputedStyle(element).overflowY)
        )
          return element
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

await script(async () => {
  let missed = 0
  /** @type {(fine: boolean, line: string) => void} */
  const report = (fine, line) => {
    if (!fine) missed += 1
    process.stdout.write(`${fine ? '✓' : '✗'} ${line}\n`)
  }
  say('Building pages')
  const site = await serve()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic'],
  })
  try {
    /** @type {{ minimal: number[], ours: number[] }} */
    const times = { minimal: [], ours: [] }
    // Alternate between the pages, so that other load on the machine affects both.
    for (let round = 0; round < rounds; round += 1) {
      times.minimal.push(await clickToDialog(browser, `${site.base}/minimal.html`))
      times.ours.push(await clickToDialog(browser, `${site.base}/ours.html`))
    }
    const ratio = median(times.ours) / median(times.minimal)
    report(
      ratio <= 1.5,
      `click to dialog at ${slowdown}× throttle: ${median(times.ours).toFixed(1)} ms compared with ${median(times.minimal).toFixed(1)} ms for a minimal modal, ratio ${ratio.toFixed(2)} (at most 1.50), median of ${rounds}`,
    )

    const { long, height, frames } = await scrollTasks(browser, `${site.base}/list.html`)
    report(
      long.length === 0,
      `AllWallets, 10,000 entries, ${frames} frames to ${height} px at ${slowdown}× throttle: ${long.length} long tasks${long.length > 0 ? ` (longest ${Math.max(...long).toFixed(0)} ms)` : ''} (at most 0)`,
    )
  } finally {
    await browser.close()
    await site.close()
  }
  say('Server: directory search compared with bare Hono')
  const built = await run('node', ['tools/build.mjs'], { env: toolEnv(), quiet: true })
  const server =
    built === 0 ? await run('node', ['packages/server/bench/directory.bench.mjs'], { env: toolEnv() }) : built
  report(server === 0, 'directory throughput (see its output above)')
  say('Server: the relay compared with a bare ws fan-out')
  const relay = built === 0 ? await run('node', ['packages/server/bench/relay.bench.mjs'], { env: toolEnv() }) : built
  report(relay === 0, 'relay throughput and memory (see its output above)')
  say('Server: the relay under attack by 200 hostile sockets')
  const attacked =
    built === 0 ? await run('node', ['packages/server/bench/relayHostile.bench.mjs'], { env: toolEnv() }) : built
  report(attacked === 0, 'relay under attack (see its output above)')
  say('WalletConnect: our client compared with the official one')
  const { ours, theirs } = await clientSizes()
  const kB = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(1)
  report(
    ours <= 20_000,
    `client with all dependencies, gzip: ${kB(ours)} kB (at most 20), @walletconnect/sign-client 2.21.8 ${kB(theirs)} kB, ratio ${(ours / theirs).toFixed(2)}`,
  )
  return missed === 0 ? 0 : 1
})
