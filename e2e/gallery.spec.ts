import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong in the page, one line each; shadow roots included. */
async function faultsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: (where: Document, how: object) => Promise<{ violations: Found[] }> }
    }
    type Found = { id: string; nodes: { target: unknown[]; failureSummary: string }[] }
    // Rules about the host page as a whole (its language, its headings) are not the modal's to keep.
    const { violations } = await axe.run(document, {
      rules: { 'page-has-heading-one': { enabled: false }, region: { enabled: false } },
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} at ${JSON.stringify(node.target)}: ${node.failureSummary.replaceAll(/\s+/g, ' ')}`),
    )
  })
}

/** Resolves when nothing fades or slides any more; what moves for ever (a skeleton's shimmer) is not waited for. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
    const moving = roots.flatMap((root) => root.getAnimations())
    const ending = moving.filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in any view and state, ${theme}`, async ({ page, world }) => {
    test.setTimeout(480_000)
    await page.goto(`${world.facts.demo}/gallery`)
    await page.waitForFunction(() => '__gallery' in window)
    const states = await page.evaluate(
      () => (window as unknown as { __gallery: { view: string; state: string }[] }).__gallery,
    )
    expect(states.length).toBeGreaterThan(30)
    // Motion would be measured halfway, with half a colour.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    const found: string[] = []
    for (const { view, state } of states) {
      const query = new URLSearchParams({ view, state, theme, bare: '1' })
      await page.goto(`${world.facts.demo}/gallery?${query}`)
      // The view itself, not the room that is kept for it while it loads.
      await page.locator('main :is(h1, h2)').filter({ hasNotText: /…$/ }).first().waitFor({ state: 'attached' })
      await settled(page)
      for (const fault of await faultsIn(page)) found.push(`${view} · ${state}: ${fault}`)
    }
    expect(found).toEqual([])
  })
}
