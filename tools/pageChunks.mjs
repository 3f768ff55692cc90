// Helpers for `npm run size` and `npm run bench` that find the files a page in a production build loads and measure their size.

import { gzipSync } from 'node:zlib'

/** @typedef {{ fileName: string, code: string, facadeModuleId: string | null, isEntry: boolean, isDynamicEntry: boolean, imports: string[], dynamicImports: string[], moduleIds: string[] }} Chunk */

/** @typedef {{ output: ((Chunk & { type: 'chunk' }) | { type: 'asset', fileName: string, source: string | Uint8Array })[] }} Output */

/**
 * Returns the scripts and style sheets in a build by file name. Style sheets are treated as entries, because pages link to them.
 * The page might not link to the style sheet of a chunk that is loaded later, which callers can filter out.
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
 * Returns the file names of the given chunks and of all their direct and transitive static imports.
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
 * Returns the gzipped size of `content` in bytes.
 * @param {string | Uint8Array} content
 */
export const gzipSize = (content) => gzipSync(content, { level: 9 }).length
