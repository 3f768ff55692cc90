// The local servers for the benchmarks: one that serves the pages, compressed as in production, and a wallet directory at a
// different origin.

import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../bootstrap.mjs'

/** The number of wallets in the directory. */
export const directorySize = 600

/** @typedef {{ base: string, close(): Promise<void> }} LocalServer */

/** @type {Readonly<Record<string, string>>} */
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/**
 * @param {import('node:http').RequestListener} answer
 * @returns {Promise<LocalServer>}
 */
async function listen(answer) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    base: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Serves the files in the folders with gzip.
 * @param {...string} folders
 */
export function servePages(...folders) {
  /** @type {Map<string, { type: string, body: Buffer }>} */
  const files = new Map()
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name)
      if (!statSync(path).isFile()) continue
      const type = types[extname(name)] ?? 'application/octet-stream'
      files.set(`/${name}`, { type, body: gzipSync(readFileSync(path), { level: 9 }) })
    }
  return listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const file = files.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    if (!file) return response.writeHead(404).end()
    return response
      .writeHead(200, {
        'content-type': file.type,
        'content-encoding': 'gzip',
        'content-length': file.body.length,
        'cache-control': 'max-age=3600',
      })
      .end(file.body)
  })
}

/** Serves a directory of `directorySize` wallets, each with an image. */
export function serveDirectory() {
  const wallets = Array.from({ length: directorySize }, (_, at) => ({
    id: at.toString(16).padStart(64, '0'),
    name: directoryWallet(at),
    image_id: `logo-${at}`,
    homepage: `https://wallet-${at}.example`,
    rdns: `example.wallet${at}`,
    mobile_link: `wallet${at}://`,
    chains: ['eip155:1', 'eip155:10', 'eip155:8453'],
    order: at,
  }))
  const logo = imageOf(128)
  /** @type {(query: URLSearchParams) => unknown} */
  const find = (query) => {
    const list = (/** @type {string} */ name) => query.get(name)?.split(',').filter(Boolean) ?? []
    const include = list('include')
    const exclude = list('exclude')
    const search = (query.get('search') ?? '').trim().toLowerCase()
    const entries = Number(query.get('entries') ?? 40)
    const first = (Number(query.get('page') ?? 1) - 1) * entries
    const found = wallets.filter(
      ({ id, name }) =>
        (include.length === 0 || include.includes(id)) && !exclude.includes(id) && name.toLowerCase().includes(search),
    )
    return { data: found.slice(first, first + entries), count: found.length }
  }
  return listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    const json = (/** @type {unknown} */ value) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (pathname === '/getWallets') return json(find(searchParams))
    if (pathname === '/projects/v1/origins') return json({ allowedOrigins: [] })
    if (pathname === '/getAnalyticsConfig') return json({ isAnalyticsEnabled: false })
    if (pathname.startsWith('/getWalletImage/'))
      return response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'max-age=3600' }).end(logo)
    return response.writeHead(204).end()
  })
}

/**
 * Returns the name of a wallet in the directory.
 * @param {number} at
 */
export function directoryWallet(at) {
  return `Wallet ${String(at).padStart(3, '0')}`
}

/**
 * Returns a PNG image of `size` × `size` pixels.
 * @param {number} size
 * @returns {Buffer}
 */
function imageOf(size) {
  // e2e/package.json lists the PNG encoder.
  const { PNG } = createRequire(join(root, 'e2e/package.json'))('pngjs')
  const image = new PNG({ width: size, height: size })
  for (let at = 0; at < size * size; at += 1) {
    const [x, y] = [at % size, Math.floor(at / size)]
    image.data.set([(x * y) % 256, (x * 3) % 256, (y * 5) % 256, 255], at * 4)
  }
  return PNG.sync.write(image)
}
