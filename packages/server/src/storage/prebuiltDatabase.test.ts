import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unpackPrebuiltDatabase } from './prebuiltDatabase.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-prebuilt-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function pack(pglite: string, files: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(files)
  const header = Buffer.from(
    JSON.stringify({
      pglite,
      folders: ['.', 'base'],
      files: entries.map(([path, text]) => ({ path, size: Buffer.byteLength(text) })),
    }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  const bytes = Buffer.concat([length, header, ...entries.map(([, text]) => Buffer.from(text))])
  await writeFile(join(folder, 'database.br'), brotliCompressSync(bytes))
}

async function installed(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return (JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')) as { version: string }).version
}

test('unpacks a prebuilt database into files that only their owner can access', async () => {
  await pack(await installed(), { PG_VERSION: '17\n', 'base/empty': '', 'base/1': 'zoë' })
  const db = join(folder, 'db')
  expect(await unpackPrebuiltDatabase(db, folder)).toBe(true)
  expect(await readFile(join(db, 'PG_VERSION'), 'utf8')).toBe('17\n')
  expect(await readFile(join(db, 'base/1'), 'utf8')).toBe('zoë')
  expect([(await stat(join(db, 'base/1'))).mode & 0o777, (await stat(db)).mode & 0o777]).toEqual([0o600, 0o700])
})

test('writes nothing if there is no prebuilt database or if a different PGlite version created it', async () => {
  const db = join(folder, 'db')
  expect(await unpackPrebuiltDatabase(db, folder)).toBe(false)
  await pack('0.0.1', { PG_VERSION: '17\n' })
  expect(await unpackPrebuiltDatabase(db, folder)).toBe(false)
  expect(existsSync(db)).toBe(false)
})

test('rejects an archive that contains a path outside the folder', async () => {
  await pack(await installed(), { '../db-outside': 'x' })
  await expect(unpackPrebuiltDatabase(join(folder, 'db'), folder)).rejects.toThrow('invalid path: ../db-outside')
  expect(existsSync(join(folder, 'db-outside'))).toBe(false)
})
