// Measures the WalletConnect clients as a page would load them. Both clients are built in the same way. The size is that of the
// entry and its imports, compressed with gzip, and includes everything that a page needs to pair with a wallet. Polyfills for
// missing crypto primitives are in a separate chunk and are not included.

import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root } from '../bootstrap.mjs'

const entries = {
  ours: `export { createClient, createProposer } from '@latchkey/walletconnect'`,
  theirs: `export { default, SignClient } from '@walletconnect/sign-client'`,
}

/** @typedef {{ type: string, fileName: string, code: string, facadeModuleId: string | null, isEntry: boolean, imports: string[] }} Chunk */

/**
 * @param {keyof typeof entries} name
 * @returns {Promise<number>}
 */
async function sizeOf(name) {
  // The entry is inside e2e/, because e2e/package.json lists both clients.
  const entry = join(root, 'e2e', `client-${name}.js`)
  const result = await build({
    root: join(root, 'e2e'),
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    resolve: { conditions: ['@latchkey/source', 'module', 'browser', 'production'] },
    plugins: [
      {
        name: 'client',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? entries[name] : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      minify: true,
      rollupOptions: { input: entry, preserveEntrySignatures: 'strict' },
    },
  })
  const { output } = /** @type {{ output: Chunk[] }} */ (Array.isArray(result) ? result[0] : result)
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]))
  const seen = new Set()
  const waiting = [...chunks.values()]
    .filter(({ isEntry, facadeModuleId }) => isEntry || facadeModuleId?.endsWith('/crypto/webCrypto.ts'))
    .map(({ fileName }) => fileName)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || !chunks.has(next)) continue
    seen.add(next)
    waiting.push(...(chunks.get(next)?.imports ?? []))
  }
  return [...seen].reduce((sum, file) => sum + gzipSync(chunks.get(file)?.code ?? '', { level: 9 }).length, 0)
}

/**
 * Resolves to the gzipped sizes of our client and the official client, in bytes.
 * @returns {Promise<{ ours: number, theirs: number }>}
 */
export async function clientSizes() {
  return { ours: await sizeOf('ours'), theirs: await sizeOf('theirs') }
}
