import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns a line for each violation that axe finds on the page, including in shadow roots. */
function faultsIn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: (where: Document, how: object) => Promise<{ violations: Found[] }> }
    }
    type Found = { id: string; nodes: { target: unknown[]; failureSummary: string }[] }
    const { violations } = await axe.run(document, {
      // These rules apply to the host page instead of the modal.
      rules: { 'page-has-heading-one': { enabled: false }, region: { enabled: false } },
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} at ${JSON.stringify(node.target)}: ${node.failureSummary.replaceAll(/\s+/g, ' ')}`),
    )
  })
}

/**
 * Shows a gallery view without reloading the page, because reloading would take most of the test's time. Skips to the end of
 * finite animations. Resolves once the view has rendered, its scripted actions are complete and its content no longer changes.
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
      // Wait for the view itself, not its loading placeholder.
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
  test(`axe finds no violations in any view or state with the ${theme} theme`, async ({ page, world }) => {
    test.setTimeout(480_000)
    // Reduce motion, because axe would measure intermediate colors during a transition.
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
