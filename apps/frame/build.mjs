// Builds the frame: `node build.mjs [folder]`, or `buildFrame()`; with `CUSTODY=assisted` one whose operator could sign. The same sources give the same bytes, wherever and whenever they are built;
// `dist/files.json` says what each file hashes to, which page answers which path, and the policy that every answer carries.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defaultClientConditions } from 'vite'
import { buildIdentify } from './identify.mjs'
import { buildRecovery } from './recovery.mjs'

const here = import.meta.dirname

/** What the frame may load and reach: itself. The server adds `frame-ancestors`, which only a header can say. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Which page answers which path of the keys origin. */
const pages = {
  '/sdk': 'index.html',
  '/wallet': 'wallet.html',
  '/approve': 'approve.html',
  '/continue': 'continue.html',
}

/**
 * The same page where an operator has switched visitor identification on: it may embed that one other origin, which only the
 * server's header can name.
 */
const identifiedPage = 'identified.html'
const policyStart = 'http-equiv="Content-Security-Policy" content="'
const identifiedStart = `${policyStart}frame-src https: http://*.localhost:*; `

/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/**
 * The policy stands in each page as well, for hosts that serve the files without our server.
 * @returns {import('vite').Plugin}
 */
const policyInPages = () => ({
  name: 'frame-policy',
  transformIndexHtml: {
    order: 'pre',
    handler: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
    ],
  },
})

/**
 * How the frame is built.
 * @param {{ root?: string, outDir?: string, write?: boolean, recovery?: string, custody?: 'self' | 'assisted' }} [asked] `recovery` is
 * the hash of the recovery page.
 * @returns {import('vite').InlineConfig}
 */
export function frameBuild({
  root = here,
  outDir = join(root, 'dist'),
  write = true,
  recovery = '0'.repeat(64),
  custody = 'self',
} = {}) {
  return {
    root,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    plugins: [react(), policyInPages()],
    resolve: { conditions: ['@latchkey/source', ...defaultClientConditions] },
    define: {
      // A recovery kit names the page that opens it without us.
      'import.meta.env.RECOVERY_SHA256': JSON.stringify(recovery),
      // Whether the operator can be a key of wallets: not in the frame that is published, whatever a server says.
      'import.meta.env.CUSTODY': JSON.stringify(custody),
    },
    build: {
      outDir,
      write,
      emptyOutDir: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: { input: Object.values(pages).map((page) => join(root, page)) },
    },
  }
}

/**
 * @param {{ root?: string, outDir?: string, custody?: 'self' | 'assisted' }} [asked] `root` holds the frame's sources, `outDir` gets what is
 * built; `assisted` is a frame whose operator could sign.
 * @returns {Promise<{ hash: string }>}
 */
export async function buildFrame({ root = here, outDir = join(root, 'dist'), custody = 'self' } = {}) {
  // To be saved, and opened from a disk: its own policy lets it reach nothing.
  const recovery = await buildRecovery({ root, outDir })
  const result = await build(frameBuild({ root, outDir, custody, recovery: recovery.sha256 }))
  const { output } = /** @type {{ output: { fileName: string }[] }} */ (Array.isArray(result) ? result[0] : result)
  await buildIdentify({ root, outDir })
  const page = readFileSync(join(outDir, pages['/sdk']), 'utf8')
  const identified = page.replace(policyStart, identifiedStart)
  if (identified === page) throw new Error('The frame’s page does not contain its policy.')
  writeFileSync(join(outDir, identifiedPage), identified)
  // What an earlier build left goes only now: a server may be reading there.
  const built = new Set(['recovery.html', identifiedPage, ...output.map(({ fileName }) => fileName)])
  for (const name of filesIn(outDir)) if (!built.has(name) && !name.startsWith('identify/')) rmSync(join(outDir, name))
  return describe(outDir)
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => extname(name) !== '' && name !== 'files.json')
    .sort()
}

/** @param {string} outDir */
function describe(outDir) {
  const files = filesIn(outDir).map((path) => {
    const bytes = readFileSync(join(outDir, path))
    const type = types[extname(path)] ?? 'application/octet-stream'
    return { path: `/${path}`, type, bytes: bytes.length, sha256: sha256(bytes) }
  })
  const hash = sha256(files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''))
  writeFileSync(join(outDir, 'files.json'), `${JSON.stringify({ hash, policy, pages, files }, null, 2)}\n`)
  return { hash }
}

/** @param {string | Uint8Array} bytes */
function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , outDir] = process.argv
  const custody = process.env.CUSTODY === 'assisted' ? 'assisted' : 'self'
  const { hash } = await buildFrame({ custody, ...(outDir && { outDir }) })
  process.stdout.write(`key frame ${hash}\n`)
}
