// What a page of a production build loads, as `npm run size` and `npm run bench` measure it.

import { gzipSync } from 'node:zlib'

/** @typedef {{ fileName: string, code: string, facadeModuleId: string | null, isEntry: boolean, isDynamicEntry: boolean, imports: string[], dynamicImports: string[], moduleIds: string[] }} Chunk */

/** @typedef {{ output: ((Chunk & { type: 'chunk' }) | { type: 'asset', fileName: string, source: string | Uint8Array })[] }} Output */

/**
 * Returns the scripts of a build by name. A style sheet counts as an entry, because the page links it.
 * @param {Output['output']} output
 * @returns {Map<string, Chunk>}
 */
export function chunksIn(output) {
  /** @type {Map<string, Chunk>} */
  const chunks = new Map()
  const none = { facadeModuleId: null, isDynamicEntry: false, imports: [], dynamicImports: [], moduleIds: [] }
  for (const file of output) {
    if (file.type === 'chunk') chunks.set(file.fileName, file)
    else if (file.fileName.endsWith('.css'))
      chunks.set(file.fileName, { ...none, fileName: file.fileName, code: String(file.source), isEntry: true })
  }
  return chunks
}

/**
 * Returns the given chunks and all their static imports.
 * @param {Map<string, Chunk>} chunks
 * @param {readonly string[]} names
 * @returns {Set<string>}
 */
export function closure(chunks, names) {
  /** @type {Set<string>} */
  const seen = new Set()
  const waiting = [...names]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || !chunks.has(next)) continue
    seen.add(next)
    waiting.push(...(chunks.get(next)?.imports ?? []))
  }
  return seen
}

/**
 * Returns the size of a file as it is sent.
 * @param {string | Uint8Array} content
 */
export const gzipSize = (content) => gzipSync(content, { level: 9 }).length
