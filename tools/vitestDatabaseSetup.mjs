// Vitest runs `setup` before the tests in the project `node`. It prebuilds the empty database of `packages/server`, as the build
// does. Dozens of tests start with an empty database, and creating one takes several times as long as unpacking it.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, Stop } from './bootstrap.mjs'

const server = join(root, 'packages/server')
const migrations = join(server, 'data/migrations')

/** @returns {Promise<void>} */
export async function setup() {
  const prebuilt = changedAt(join(server, 'data/database.br'))
  const sources = readdirSync(migrations, { recursive: true, encoding: 'utf8' }).map((name) => join(migrations, name))
  // A new lockfile can contain a new version of PGlite.
  const newest = Math.max(
    ...[...sources, join(server, 'prebuildDatabase.mjs'), join(root, 'pnpm-lock.yaml')].map(changedAt),
  )
  if (prebuilt >= newest) return
  if ((await run('node', ['prebuildDatabase.mjs'], { cwd: server, quiet: true })) !== 0)
    throw new Stop('The empty database could not be created. See the output above.')
}

/**
 * Returns when a file was last changed, or 0 if it does not exist.
 * @param {string} path
 */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
