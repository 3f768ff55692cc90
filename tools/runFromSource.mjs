// Runs the packages from their TypeScript sources under plain Node 20, without a build step.

import { join } from 'node:path'
import { createServer } from 'vite'
import { root } from './bootstrap.mjs'

/** @typedef {{ load: (path: string) => Promise<Record<string, any>>, close: () => Promise<void> }} Sources */

/**
 * Creates a loader for the repository's modules. `close()` stops the loader.
 * @returns {Promise<Sources>}
 */
export async function openSources() {
  const conditions = ['@latchkey/source', 'node', 'module', 'import', 'default']
  const vite = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] },
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: ['node', 'import', 'default'] }, noExternal: [/^@latchkey\//] },
  })
  return {
    load: (path) => vite.ssrLoadModule(join(root, path)),
    close: () => vite.close(),
  }
}
