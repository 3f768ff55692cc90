// `npm run shots [view…]`: takes screenshots of every view in every state: in light and dark themes, on desktops and phones, and
// in both text directions. Writes them to `shots/` with a contact sheet, and runs axe on each view.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { root, say, script } from './bootstrap.mjs'

const screens = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
const themes = /** @type {const} */ (['light', 'dark'])
const directions = /** @type {const} */ (['ltr', 'rtl'])
const folder = join(root, 'shots')

/**
 * Returns the axe violations in the page, including its shadow roots.
 * @param {import('playwright').Page} page
 * @param {string} axe
 * @returns {Promise<string[]>}
 */
async function faultsIn(page, axe) {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run(document, {
      rules: { 'page-has-heading-one': { enabled: false }, region: { enabled: false } },
    })
    return violations.map(
      (/** @type {any} */ entry) =>
        `${entry.id} (${entry.nodes.map((/** @type {any} */ node) => node.target.join(' ')).join(', ')})`,
    )
  })
}

/**
 * Resolves when all finite animations have ended.
 * @param {import('playwright').Page} page
 */
async function settled(page) {
  await page.evaluate(async () => {
    const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
    const moving = roots.flatMap((root) => root.getAnimations())
    const ending = moving.filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

await script(async () => {
  const demo = join(root, 'apps/demo')
  const requested = process.argv.slice(2)
  say('Building the demo')
  await build({ root: demo, configFile: join(demo, 'vite.config.ts'), logLevel: 'error' })
  const server = await preview({
    root: demo,
    configFile: join(demo, 'vite.config.ts'),
    preview: { port: 0, host: '127.0.0.1' },
    logLevel: 'error',
  })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic'],
  })
  const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
  /** @type {{ name: string, view: string, state: string, faults: string[] }[]} */
  const screenshots = []
  try {
    const base = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.httpServer.address()).port}/gallery`
    if (requested.length === 0) rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const [screen, viewport] of Object.entries(screens)) {
      const context = await browser.newContext({
        viewport,
        reducedMotion: 'reduce',
        hasTouch: screen === 'phone',
        deviceScaleFactor: screen === 'phone' ? 2 : 1,
      })
      const page = await context.newPage()
      await page.goto(base)
      await page.waitForFunction(() => '__gallery' in window)
      const states = await page.evaluate(
        () => /** @type {{ view: string, state: string }[]} */ (/** @type {any} */ (window).__gallery),
      )
      for (const { view, state } of states.filter(
        (entry) => requested.length === 0 || requested.includes(entry.view),
      )) {
        for (const theme of themes) {
          for (const dir of directions) {
            const name = `${view}-${state}-${theme}-${screen}-${dir}.png`.replaceAll(/[^\w.-]+/g, '_')
            await page.emulateMedia({ colorScheme: theme })
            // On phones, the modal is a bottom sheet, which a panel in the page is not.
            const sheet = screen === 'phone' ? { modal: '1' } : {}
            await page.goto(`${base}?${new URLSearchParams({ view, state, theme, dir, bare: '1', ...sheet })}`)
            // Wait for the view itself rather than its loading placeholder, for its translation, and for fade-ins to end.
            const heading = page.locator('latchkey-modal :is(h1, h2)').filter({ hasNotText: /…$/ })
            await heading.first().waitFor({ state: 'attached' })
            await page.locator('[data-acted]').waitFor({ state: 'attached' })
            if (dir === 'rtl') await page.waitForLoadState('networkidle')
            await settled(page)
            await page.screenshot({ path: join(folder, name) })
            screenshots.push({ name, view, state, faults: await faultsIn(page, axe) })
          }
        }
        process.stderr.write(`\r${screenshots.length} pictures  ${view} · ${state}            `)
      }
      await context.close()
    }
  } finally {
    await browser.close()
    await server.close()
  }
  writeFileSync(join(folder, 'index.html'), sheet(screenshots))
  const faulty = screenshots.filter(({ faults }) => faults.length > 0)
  for (const { name, faults } of faulty) process.stdout.write(`✗ ${name}: ${faults.join('; ')}\n`)
  process.stdout.write(
    `\n${screenshots.length} pictures in shots/index.html, ${faulty.length} with something axe does not like\n`,
  )
  return faulty.length === 0 ? 0 : 1
})

/**
 * Renders the contact sheet.
 * @param {{ name: string, view: string, state: string, faults: string[] }[]} all
 */
function sheet(all) {
  const text = (/** @type {string} */ raw) =>
    raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  const groups = [...new Set(all.map(({ view, state }) => `${view} · ${state}`))]
  const figures = groups.map((group) => {
    const pictures = all
      .filter(({ view, state }) => `${view} · ${state}` === group)
      .map(
        ({ name, faults }) =>
          `<a href="${text(name)}"><img loading="lazy" src="${text(name)}" alt="${text(name)}"${faults.length > 0 ? ' class="bad"' : ''}></a>`,
      )
    return `<h2>${text(group)}</h2><div>${pictures.join('')}</div>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Shots</title>
<style>body{font:16px/1.4 system-ui;margin:24px;background:#8882}div{display:flex;flex-wrap:wrap;gap:8px}img{block-size:260px;border:1px solid #8886}.bad{outline:3px solid #d33}</style>
<h1>${all.length} pictures</h1>
${figures.join('\n')}
`
}
