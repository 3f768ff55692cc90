// Creates production builds of the pages for the benchmarks.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { kitsBuild } from '../../e2e/support/buildPages.mjs'
import { root } from '../bootstrap.mjs'
import { chunksIn, closure, gzipSize } from '../pageChunks.mjs'
import { cssText } from '../tsdown.base.mjs'
import { kitPages, pages } from './pages.mjs'

/**
 * A built page. Its entry consists of the script, its static imports and the style sheet.
 * @typedef {{ entryGzip: number, entryFiles: ReadonlySet<string> }} BuiltPage
 */
/** @typedef {{ folder: string, pages: ReadonlyMap<string, BuiltPage>, remove(): void }} BuiltPages */

/**
 * Writes the sources to a folder below `parent`, so that their imports are resolved from there. Builds each page separately, like
 * an app with a single page.
 * @param {string} parent
 * @param {Readonly<Record<string, string>>} sources
 * @param {{ resolve: NonNullable<import('vite').InlineConfig['resolve']>, external?: string[] }} config
 * @returns {Promise<BuiltPages>}
 */
async function buildIn(parent, sources, { resolve, external = [] }) {
  const folder = join(parent, '.bench')
  rmSync(folder, { recursive: true, force: true })
  /** @type {Map<string, BuiltPage>} */
  const built = new Map()
  for (const [name, source] of Object.entries(sources)) {
    const own = join(folder, name)
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'page.js'), source)
    writeFileSync(
      join(own, 'index.html'),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${name}</title></head><body><div id="root"></div><script type="module" src="./page.js"></script></body></html>`,
    )
    const result = await build({
      root: own,
      base: `/${name}/`,
      configFile: false,
      logLevel: 'error',
      resolve,
      // Style sheets as the packages contain them, where Vite does not add fallbacks for other browsers.
      plugins: [{ ...cssText(), enforce: 'pre' }],
      build: {
        outDir: join(folder, 'dist', name),
        target: 'es2022',
        modulePreload: { polyfill: false },
        rollupOptions: { external },
      },
    })
    const { output } = /** @type {import('../pageChunks.mjs').Output} */ (Array.isArray(result) ? result[0] : result)
    const chunks = chunksIn(output)
    const html = output.find(({ fileName }) => fileName === 'index.html')
    // The page does not link to the style sheets of chunks that are loaded later.
    const linked = html?.type === 'asset' ? String(html.source) : ''
    const starts = [...chunks.values()].filter(({ isEntry, fileName }) => isEntry && linked.includes(fileName))
    const entryFiles = closure(
      chunks,
      starts.map(({ fileName }) => fileName),
    )
    const sizes = [...entryFiles].map((file) => gzipSize(chunks.get(file)?.code ?? ''))
    built.set(name, {
      entryGzip: sizes.reduce((sum, size) => sum + size, 0),
      entryFiles: new Set([...entryFiles].map((file) => `/${name}/${file}`)),
    })
  }
  return {
    folder: join(folder, 'dist'),
    pages: built,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Builds the given pages, which use Latchkey, the smallest modal or no modal.
 * @param {readonly (keyof typeof pages)[]} names
 */
export function buildPages(names) {
  const conditions = ['@latchkey/source', 'module', 'browser', 'production']
  const sources = Object.fromEntries(names.map((name) => [name, pages[name]]))
  return buildIn(join(root, 'e2e'), sources, { resolve: { conditions } })
}

/**
 * Builds the pages that use another kit in the same way as the end-to-end tests: with pinned versions, and without the
 * dependencies that pnpm-workspace.yaml removes. `missing` lists those dependencies, because the measured sizes do not include
 * their code.
 */
export async function buildKitPages() {
  const { resolve, build: options } = kitsBuild()
  const { external } = options.rollupOptions
  return {
    ...(await buildIn(join(root, 'e2e/kits'), kitPages, { resolve, external })),
    missing: external,
  }
}
