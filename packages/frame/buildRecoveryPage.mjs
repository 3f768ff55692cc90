// Builds the recovery page, a self-contained HTML file that opens a recovery kit offline from disk. `node buildRecoveryPage.mjs`
// writes it to `dist/recovery.html`.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, defaultClientConditions } from 'vite'

const here = import.meta.dirname

/**
 * Builds the recovery page. Resolves to its hash and size.
 * @param {{ root?: string, outDir?: string }} [options] `root` contains the frame's sources, and `outDir` receives the page.
 * @returns {Promise<{ sha256: string, bytes: number }>}
 */
export async function buildRecoveryPage({ root = here, outDir = join(root, 'dist') } = {}) {
  const script = await scriptOf(root)
  const style = readFileSync(join(root, 'src/recovery/recovery.css'), 'utf8')
  // A page on disk has no headers, so the policy is in the page. The policy blocks all connections.
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Recovery kit</title>
<style>${style}</style>
<body>
<noscript>This page needs JavaScript.</noscript>
<script>${script}</script>
`
  mkdirSync(outDir, { recursive: true })
  writeFileSync(join(outDir, 'recovery.html'), page)
  return { sha256: createHash('sha256').update(page).digest('hex'), bytes: Buffer.byteLength(page) }
}

/** @param {string} root */
async function scriptOf(root) {
  const result = await build({
    root,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@latchkey/source', ...defaultClientConditions] },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: join(root, 'src/recovery/main.ts'), output: { format: 'iife' } },
    },
  })
  const { output } = /** @type {{ output: { code: string }[] }} */ (Array.isArray(result) ? result[0] : result)
  const [only, ...others] = output
  if (!only || others.length > 0) throw new Error('The recovery page must be one script.')
  const { code } = only
  if (/<\/script|<!--/i.test(code)) throw new Error('The recovery script cannot be inlined in a page.')
  return code
}

/** @param {string} text */
function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { sha256, bytes } = await buildRecoveryPage()
  process.stdout.write(`${sha256}  recovery.html (${bytes} bytes)\n`)
}
