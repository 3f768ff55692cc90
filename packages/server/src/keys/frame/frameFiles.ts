import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { approvalPath, walletPath } from '@latchkey/protocol/http/keys'
import { continuePath } from '@latchkey/protocol/http/keys/crossSite'
import type { FrameFiles } from '../frameFile.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/** The pages of the build that must never be embedded, keyed by path. */
export const alonePages: Readonly<Record<string, string>> = {
  [walletPath]: 'wallet.html',
  [approvalPath]: 'approve.html',
  [continuePath]: 'continue.html',
}

/**
 * Serves the frame's build from a folder. Files are read from disk on every request, so a new build does not require a restart.
 */
export function folderFrameFiles(folder: string): FrameFiles {
  return {
    find: async (path) => {
      if (path.includes('\0')) return undefined
      const page = alonePages[path] ?? 'index.html'
      const file = extname(path) === '' ? page : path
      const full = normalize(join(folder, file))
      const type = types[extname(file)]
      if (!type || !full.startsWith(normalize(folder) + sep)) return undefined
      const bytes = await readFile(full).catch(() => undefined)
      return bytes && { bytes: new Uint8Array(bytes), type, hashed: /-[\w-]{8}\.\w+$/.test(file) }
    },
  }
}

/**
 * Returns the headers for the frame's page. They let only allowed pages embed it, and restrict its code and connections to its
 * own origin.
 */
export function frameHeaders({
  ancestors,
  secure,
  frames = [],
}: {
  ancestors: string
  secure: boolean
  /** Origins that the page itself can embed. Default: none. */
  frames?: readonly string[]
}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy':
      'publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), camera=(), ' +
      'microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=()',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
