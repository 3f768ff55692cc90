import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the path of the `data/` folder that is published with this package. Works in both the source and the build.
 *
 * @throws {Error} if the installation is incomplete.
 */
export function assetsFolder(): string {
  const folder = fileURLToPath(new URL('../../data/', import.meta.url))
  if (existsSync(`${folder}wallets.json`)) return folder
  throw new Error('The "data" folder of @latchkey/server is missing: reinstall the package.')
}

/** Returns the version of this package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(assetsFolder(), '../package.json'), 'utf8')) as { version: string }
  return version
}
