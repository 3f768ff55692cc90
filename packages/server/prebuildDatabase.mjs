// Creates `data/database.br`, an empty PGlite database with all migrations applied, which the server unpacks on its first start.
// The format is documented in `src/data/prebuiltDatabase.ts`. Without this file, the first start creates the database, which
// needs about 800 MB of memory.

import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'

const data = join(import.meta.dirname, 'data')
const target = join(data, 'database.br')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-prebuild-'))
try {
  const client = await PGlite.create({ dataDir: join(folder, 'db') })
  await migrate(drizzle(client), { migrationsFolder: join(data, 'migrations') })
  await client.exec('checkpoint')
  await client.close()

  const root = join(folder, 'db')
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  const folders = paths.filter((path) => statSync(join(root, path)).isDirectory())
  const files = paths
    .filter((path) => !folders.includes(path) && path !== 'postmaster.pid')
    .map((path) => ({ path, size: statSync(join(root, path)).size }))
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8'))
  const header = Buffer.from(JSON.stringify({ pglite: version, folders: ['.', ...folders], files }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  const bytes = Buffer.concat([length, header, ...files.map(({ path }) => readFileSync(join(root, path)))])
  const packed = brotliCompressSync(bytes, {
    params: {
      // The three databases in a cluster are nearly identical, so a window that spans two of them reduces the file to a third.
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
  writeFileSync(`${target}.${process.pid}`, packed)
  renameSync(`${target}.${process.pid}`, target)
  console.log(
    `data/database.br  ${(packed.length / 1000).toFixed(0)} kB, ${(bytes.length / 1e6).toFixed(0)} MB unpacked`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
