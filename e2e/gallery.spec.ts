import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong in the page, one line each; shadow roots included. */
function faultsIn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: (where: Document, how: object) => Promise<{ violations: Found[] }> }
    }
    type Found = { id: string; nodes: { target: unknown[]; failureSummary: string }[] }
    const { violations } = await axe.run(document, {
      // Rules about the host page as a whole (its language, its headings) are not the modal's to keep.
      rules: { 'page-has-heading-one': { enabled: false }, region: { enabled: false } },
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} at ${JSON.stringify(node.target)}: ${node.failureSummary.replaceAll(/\s+/g, ' ')}`),
    )
  })
}

/**
 * Shows one picture of the gallery, as its links do: without loading the page anew, which would take most of the time. Resolves when the
 * view is there and done with what it was to do, and nothing in it changes any more. What fades is put to its end; what moves for ever (a
 * skeleton's shimmer) stays.
 */
async function show(page: Page, url: string): Promise<void> {
  await page.evaluate(async (to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    const rootsIn = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
      root,
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : [])),
    ]
    const drawn = (roots: readonly (Document | ShadowRoot)[]): boolean => {
      // The view itself, not the room that is kept for it while it loads.
      const headings = roots.flatMap((root) => [...root.querySelectorAll('h1, h2')])
      const there = headings.some(({ textContent }) => textContent !== '' && !textContent?.endsWith('…'))
      return there && document.querySelector('main [data-acted]') !== null
    }
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let [before, still] = ['', 0]; still < 4; ) {
      await frame()
      const roots = rootsIn(document)
      const now = roots.map((root) => ('body' in root ? root.body.innerHTML : root.innerHTML)).join()
      still = drawn(roots) && now === before ? still + 1 : 0
      before = now
      for (const moving of roots.flatMap((root) => root.getAnimations()))
        if (moving.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) moving.finish()
    }
  }, url)
}

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in any view and state, ${theme}`, async ({ page, world }) => {
    test.setTimeout(480_000)
    // Motion would be measured halfway, with half a colour.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.goto(`${world.facts.demo}/gallery`)
    await page.waitForFunction(() => '__gallery' in window)
    const states = await page.evaluate(
      () => (window as unknown as { __gallery: { view: string; state: string }[] }).__gallery,
    )
    expect(states.length).toBeGreaterThan(30)
    await page.evaluate(axe)
    const found: string[] = []
    for (const { view, state } of states) {
      await test.step(`${view} · ${state}`, async () => {
        await show(page, `/gallery?${new URLSearchParams({ view, state, theme, bare: '1' })}`)
        for (const fault of await faultsIn(page)) found.push(`${view} · ${state}: ${fault}`)
      })
    }
    expect(found).toEqual([])
  })
}
