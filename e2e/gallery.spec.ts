import type { Page } from '@playwright/test'
import { violationsOn } from './support/axe.ts'
import { expect, test } from './support/fixtures.ts'

/**
 * Shows a gallery view without reloading the page, because reloading would take most of the test's time. Skips to the end of
 * finite animations. Resolves once the view has rendered, its scripted actions are complete and its content no longer changes.
 */
async function show(
  page: Page,
  { view, state, theme }: { readonly view: string; readonly state: string; readonly theme: 'light' | 'dark' },
): Promise<void> {
  const url = `/gallery?${new URLSearchParams({ view, state, theme, bare: '1' })}`
  await page.evaluate(
    async ([to, theme]) => {
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
        return there && document.querySelector(`main [data-acted] [theme=${theme}]`) !== null
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
    },
    [url, theme] as const,
  )
}

test('axe finds no violations in any view or state, with the light or the dark theme', async ({ page, world }) => {
  test.setTimeout(480_000)
  // Reduce motion, because axe would measure intermediate colors during a transition.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${world.facts.demo}/gallery`)
  await page.waitForFunction(() => '__gallery' in window)
  const states = await page.evaluate(
    () => (window as unknown as { __gallery: { view: string; state: string }[] }).__gallery,
  )
  expect(states.length).toBeGreaterThan(30)
  const found: string[] = []
  for (const { view, state } of states) {
    await test.step(`${view} · ${state}`, async () => {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        await show(page, { view, state, theme })
        // The disabled rules apply to the host page instead of the modal.
        const faults = await violationsOn(page, { disabled: ['page-has-heading-one', 'region'] })
        found.push(...faults.map((fault) => `${view} · ${state}, ${theme}: ${fault}`))
      }
    })
  }
  expect(found).toEqual([])
})
