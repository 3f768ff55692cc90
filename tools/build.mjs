// `npm run build`: builds every package in dependency order, runs publint, then imports each entry point once.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, script, toolEnv } from './bootstrap.mjs'

/** The packages in build order. Each package follows its dependencies. */
const order = [
  'protocol',
  'siwx',
  'vault',
  'core',
  'walletconnect',
  'adapters',
  'ui',
  'testing',
  'react',
  'server',
  'dev',
]

/**
 * @param {string} folder
 * @returns {{ name: string, private?: boolean, exports: Record<string, any>, bin?: Record<string, string> }}
 */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/**
 * Returns the entry points and their files. A pattern such as `./locales/*` is expanded to one entry point for each built file.
 * @param {string} folder
 * @param {Record<string, any>} exports
 * @returns {{ path: string, file: string, types: string | undefined }[]}
 */
function entryPoints(folder, exports) {
  return Object.entries(exports).flatMap(([path, target]) => {
    const file = typeof target === 'string' ? target : target.default
    const types = typeof target === 'string' ? undefined : target.types
    if (!path.includes('*')) return [{ path, file, types }]
    const [before, after] = file.split('*')
    const names = readdirSync(join(folder, before)).filter((name) => name.endsWith(after))
    return names.map((name) => {
      const value = name.slice(0, -after.length)
      return { path: path.replace('*', value), file: file.replace('*', value), types: types?.replace('*', value) }
    })
  })
}

/**
 * Returns the files in `dist` that contain a path on this machine or import an unpublished package.
 * @param {string} folder
 * @returns {string[]}
 */
function strangers(folder) {
  const dist = join(folder, 'dist')
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|d\.ts)$/.test(name))
    .filter((name) => {
      const text = readFileSync(join(dist, name), 'utf8')
      return text.includes(root) || /(from|import)\s*\(?['"]@latchkey\/(ui|i18n)/.test(text)
    })
    .map((name) => `${name} names this machine or imports @latchkey/ui or @latchkey/i18n`)
}

await script(async () => {
  let code = 0
  /** @param {string} text */
  const fail = (text) => {
    process.stderr.write(`✗ ${text}\n`)
    code = 1
  }
  for (const name of order) {
    const folder = join(root, 'packages', name)
    const started = performance.now()
    if ((await run('tsdown', [], { cwd: folder, env: toolEnv() })) !== 0) {
      fail(`${name} does not build`)
      continue
    }
    // Prebuild an empty database, because creating it on the first start would take about 800 MB of memory.
    if (name === 'server' && (await run('node', ['prebuildDatabase.mjs'], { cwd: folder, env: toolEnv() })) !== 0)
      fail('the empty database of server is not built')
    const manifest = manifestOf(folder)
    if (!manifest.private) {
      for (const found of strangers(folder)) fail(`${name}: ${found}`)
      if ((await run('publint', ['run', folder, '--strict', '--pack', 'false'], { env: toolEnv() })) !== 0) {
        fail(`${name} is not fit to publish`)
      }
    }
    process.stdout.write(`✓ ${manifest.name}  ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  }

  // The frame consists of static files and their hashes, so it has no entry point to import.
  const frame = join(root, 'packages/frame')
  const framed = performance.now()
  if ((await run('node', ['build.mjs'], { cwd: frame, env: toolEnv() })) !== 0) fail('frame does not build')
  if ((await run('publint', ['run', frame, '--strict', '--pack', 'false'], { env: toolEnv() })) !== 0) {
    fail('frame is not fit to publish')
  }
  process.stdout.write(`✓ ${manifestOf(frame).name}  ${((performance.now() - framed) / 1000).toFixed(1)} s\n`)

  // Import each entry point as a consumer would: from dist, in plain Node without custom conditions.
  for (const name of order) {
    const folder = join(root, 'packages', name)
    const { name: id, exports, private: hidden } = manifestOf(folder)
    if (hidden) continue
    for (const { path, file, types } of entryPoints(folder, exports)) {
      if (!existsSync(join(folder, file))) {
        fail(`${id}${path.slice(1)} points at ${file}, which is not there`)
        continue
      }
      if (!types || !existsSync(join(folder, types))) fail(`${id}${path.slice(1)} has no declarations at ${types}`)
      if (!file.endsWith('.js')) continue
      const load = `await import(${JSON.stringify(`${id}${path.slice(1)}`)})`
      const loaded = await run('node', ['--input-type=module', '--eval', load], { cwd: folder })
      if (loaded !== 0) fail(`${id}${path.slice(1)} cannot be imported`)
    }
  }
  return code
})
