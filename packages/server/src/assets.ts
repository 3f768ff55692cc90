import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder `data/` that is published with this package, found from the source as well as from the build. */
export function assetsFolder(): string {
  const found = ['../data/', '../../data/']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(`${path}wallets.json`))
  if (!found) throw new Error('The folder "data" of @latchkey/server is missing: install the package again.')
  return found
}
