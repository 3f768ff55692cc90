// Chromium's launch arguments in the tests.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Features of the browser's own window that no test uses. For each window, Chromium loads two pages for the suggestions below the
 * address bar and starts a renderer in reserve, which together took a quarter of Chromium's CPU time in the tests.
 */
const unused = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

/** Launch arguments that also disable Chromium's own network requests. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...disabledByPlaywright(), ...unused].join(',')}`,
]

/**
 * Returns the features that Playwright disables. Chromium only reads the last `--disable-features`, so an argument that disables
 * other features must repeat them.
 * @returns {readonly string[]}
 */
function disabledByPlaywright() {
  const playwright = createRequire(import.meta.url).resolve('playwright')
  const bundle = createRequire(playwright).resolve('playwright-core/lib/coreBundle')
  const [, list] = /\bdisabledFeatures = \[([^\]]+)\]/.exec(readFileSync(bundle, 'utf8')) ?? []
  if (!list) throw new Error('Playwright’s list of disabled features was not found.')
  return [...list.matchAll(/^\s*"(\w+)"/gm)].flatMap(([, name]) => name ?? [])
}
