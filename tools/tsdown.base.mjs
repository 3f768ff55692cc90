// The build configuration that all packages share. Each source file becomes an ES module, declarations are generated with
// isolatedDeclarations, and style sheets become minified text modules.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { transform } from 'lightningcss'
import { defineConfig } from 'tsdown'

/**
 * Returns the entry points in a package.json: the sources in `exports` under the source condition, and the sources of the
 * programs in `bin`.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function entries(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  /** @type {Record<string, string>} */
  const found = {}
  for (const target of Object.values(manifest.exports ?? {})) {
    const source = /** @type {Record<string, string>} */ (target)['@latchkey/source']
    if (!source || !/\.tsx?$/.test(source)) continue
    for (const path of matchingFiles(folder, source))
      found[path.replace(/^\.\/src\/|\.tsx?$/g, '')] = join(folder, path)
  }
  for (const target of Object.values(manifest.bin ?? {})) {
    const name = String(target).replace(/^\.\/dist\/|\.js$/g, '')
    found[name] = join(folder, 'src', `${name}.ts`)
  }
  return found
}

/**
 * Returns the files that match `path`, which can be a pattern such as `./src/locales/*.ts`.
 * @param {string} folder
 * @param {string} path
 */
function matchingFiles(folder, path) {
  if (!path.includes('*')) return [path]
  const end = path.slice(path.indexOf('*') + 1)
  const names = readdirSync(join(folder, dirname(path))).filter((name) => name.endsWith(end))
  return names.map((name) => `${dirname(path)}/${name}`)
}

/**
 * Returns a plugin that turns `import css from './x.css?inline'` into a text module.
 * @returns {import('tsdown').Rolldown.Plugin}
 */
export function cssText() {
  return {
    name: 'latchkey:css-text',
    resolveId(id, importer) {
      if (!id.endsWith('.css?inline') || !importer) return null
      return `${resolve(dirname(importer), id.slice(0, -'?inline'.length))}.text.js`
    },
    load(id) {
      if (!id.endsWith('.css.text.js')) return null
      const filename = id.slice(0, -'.text.js'.length)
      // Without targets, the style sheet is only minified. Nothing is added for browsers that lack a feature.
      const { code } = transform({ filename, code: readFileSync(filename), minify: true })
      // Unless the module type is set, Rolldown treats the file as an asset because of its extension.
      return { code: `export default ${JSON.stringify(String(code))}`, moduleType: 'js' }
    },
  }
}

/**
 * Returns the build configuration for a package.
 * @param {{ folder: string, platform?: 'neutral' | 'node' | 'browser', bundle?: (string | RegExp)[], copy?: { from: string, to: string }[] }} options
 */
export function latchkeyBuild({ folder, platform = 'neutral', bundle = [], copy = [] }) {
  return defineConfig({
    cwd: folder,
    entry: entries(folder),
    outDir: join(folder, 'dist'),
    format: 'esm',
    platform,
    target: platform === 'node' ? 'node20' : 'es2022',
    unbundle: true,
    dts: { oxc: true, resolver: 'oxc' },
    fixedExtension: false,
    hash: false,
    sourcemap: false,
    clean: true,
    copy,
    deps: { neverBundle: [/^node:/], ...(bundle.length > 0 ? { alwaysBundle: bundle } : {}) },
    inputOptions: (options) => ({
      ...options,
      resolve: { ...options.resolve, conditionNames: ['@latchkey/source', 'import', 'module', 'default'] },
    }),
    plugins: [cssText()],
    logLevel: 'warn',
  })
}
