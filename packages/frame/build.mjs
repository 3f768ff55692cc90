// Builds the frame with `node build.mjs [folder]` or `buildFrame()`. With `CUSTODY=assisted`, the operator of the frame can sign.
// Builds are reproducible. `dist/files.json` lists the hash of each file, the page for each path, and the policy for every
// response.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defaultClientConditions } from 'vite'
import { buildIdentifyScript } from './buildIdentifyScript.mjs'
import { buildRecoveryPage } from './buildRecoveryPage.mjs'

const here = import.meta.dirname

/**
 * The policy of the frame, which can only load from and connect to its own origin. The server adds `frame-ancestors`, which only
 * works in a header.
 */
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

/** The pages, keyed by path on the keys origin. */
const pages = {
  '/sdk': 'index.html',
  '/wallet': 'wallet.html',
  '/approve': 'approve.html',
  '/continue': 'continue.html',
}

/**
 * The page at `/sdk` for operators who enable visitor identification. The policy in the page allows any HTTPS origin to be
 * embedded, and the server's header allows only the configured origin.
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
 * Adds the policy to each page, for hosts that serve the files without our server.
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
 * Returns the build configuration for the frame.
 * @param {{ root?: string, outDir?: string, write?: boolean, recovery?: string, custody?: 'self' | 'assisted' }} [options] `recovery` is
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
      // A recovery kit contains the hash of the page that opens it.
      'import.meta.env.RECOVERY_SHA256': JSON.stringify(recovery),
      // With assisted custody, the operator can unlock wallets. The published frame does not support it, regardless of the
      // server's configuration.
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
 * Builds the frame. Resolves to the hash of the build.
 * @param {{ root?: string, outDir?: string, custody?: 'self' | 'assisted' }} [options] `root` contains the frame's sources, and `outDir` receives
 * the build. With `assisted`, the operator can sign.
 * @returns {Promise<{ hash: string }>}
 */
export async function buildFrame({ root = here, outDir = join(root, 'dist'), custody = 'self' } = {}) {
  // Users save the recovery page and open it from disk. Its policy blocks all connections.
  const recovery = await buildRecoveryPage({ root, outDir })
  const result = await build(frameBuild({ root, outDir, custody, recovery: recovery.sha256 }))
  const { output } = /** @type {{ output: { fileName: string }[] }} */ (Array.isArray(result) ? result[0] : result)
  await buildIdentifyScript({ root, outDir })
  const page = readFileSync(join(outDir, pages['/sdk']), 'utf8')
  const identified = page.replace(policyStart, identifiedStart)
  if (identified === page) throw new Error('The frame’s page does not contain its policy.')
  writeFileSync(join(outDir, identifiedPage), identified)
  // Delete the files of an earlier build only now, because a server might still be using them.
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
