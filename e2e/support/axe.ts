import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns a line for each violation that axe finds on the page, including in shadow roots. `disabled` lists the rules that do not
 * apply. The check runs in the page itself, which must not have frames. `AxeBuilder` also checks frames, but opens another page
 * for every check.
 */
export async function violationsOn(
  page: Page,
  { disabled = [] }: { readonly disabled?: readonly string[] } = {},
): Promise<readonly string[]> {
  if (page.frames().length > 1) throw new Error('axe would not check the frames of this page.')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(async (disabled) => {
    const { axe } = window as unknown as {
      axe: { run: (where: Document, how: object) => Promise<{ violations: Violation[] }> }
    }
    const rootsIn = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
      root,
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : [])),
    ]
    const isMoving = ({ playState, effect }: Animation): boolean =>
      playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    // Wait for transitions to end, because axe would measure their intermediate colors. When a transition ends, it can start
    // transitions in elements that inherit the color.
    for (let still = 0; still < 3; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const animations = rootsIn(document).flatMap((root) => root.getAnimations())
      still = animations.some(isMoving) ? 0 : still + 1
    }
    type Violation = { id: string; nodes: { target: unknown[]; failureSummary: string }[] }
    const { violations } = await axe.run(document, {
      rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} at ${JSON.stringify(node.target)}: ${node.failureSummary.replaceAll(/\s+/g, ' ')}`),
    )
  }, disabled)
}
