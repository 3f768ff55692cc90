import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, mkdtemp, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Connection } from './databaseConnection.ts'
import { explained, type FilePort, writeWhole } from './durableFiles.ts'
import { assetsFolder } from './packageFiles.ts'
import { pgliteConnection } from './pglite.ts'
import { readSecrets, retireSecrets, rotateSecret } from './secretFile.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const failure = (code: string) => Object.assign(new Error(`${code}: it failed`), { code })

/** A fake disk on which files can be created but not written. */
const fullDisk: FilePort = {
  link,
  rename,
  rm,
  mkdir,
  open: (async (...args: Parameters<typeof open>) => {
    const handle = await open(...args)
    handle.writeFile = async () => {
      throw failure('ENOSPC')
    }
    return handle
  }) as typeof open,
}

describe('writeWhole()', () => {
  test('writes a file that only its owner can read and leaves no temporary file', async () => {
    const file = join(folder, 'deep/secret')
    expect(await writeWhole({ file, text: 'one' })).toBe(true)
    expect(await writeWhole({ file, text: 'two', ifAbsent: true })).toBe(false)
    expect(await readFile(file, 'utf8')).toBe('one')
    expect(await readdir(join(folder, 'deep'))).toEqual(['secret'])
  })

  test('does not create a file or change an existing one if the disk is full', async () => {
    const file = join(folder, 'secret')
    await expect(writeWhole({ file, text: 'one' }, fullDisk)).rejects.toThrow('ENOSPC')
    expect(await readdir(folder)).toEqual([])
    await writeWhole({ file, text: 'one' })
    await expect(writeWhole({ file, text: 'two' }, fullDisk)).rejects.toThrow('ENOSPC')
    expect(await readFile(file, 'utf8')).toBe('one')
  })

  test('flushes the file before moving it into place, and the folder afterwards', async () => {
    const steps: string[] = []
    const seen: FilePort = {
      rm,
      mkdir,
      rename,
      link: async (...args) => {
        steps.push('link')
        return link(...args)
      },
      open: (async (...args: Parameters<typeof open>) => {
        const handle = await open(...args)
        const sync = handle.sync.bind(handle)
        handle.sync = async () => {
          steps.push(args[1] === 'wx' ? 'flush file' : 'flush folder')
          return sync()
        }
        return handle
      }) as typeof open,
    }
    await writeWhole({ file: join(folder, 'secret'), text: 'one', ifAbsent: true }, seen)
    expect(steps).toEqual(['flush file', 'link', 'flush folder'])
  })

  test.each(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EIO'])(
    'explains what to do about %s',
    (code) => {
      const error = explained(new Error('opening failed', { cause: failure(code) }), '/data') as Error
      expect(error.message).toMatch(new RegExp(`/data.*: .+\\(${code}\\)$`))
    },
  )
})

describe('the secret file', () => {
  test('is created only once, even by concurrent starts', async () => {
    const file = join(folder, 'secret')
    const all = await Promise.all(Array.from({ length: 8 }, () => readSecrets({ file })))
    expect(new Set(all.map((secrets) => secrets.join())).size).toBe(1)
    expect(all[0]?.[0]?.length).toBe(43)
  })

  test('a first start on a full disk reports the problem and leaves a folder that can be used later', async () => {
    const file = join(folder, 'secret')
    await expect(readSecrets({ file, files: fullDisk })).rejects.toThrow(
      /The disk of .*secret is full: free up space.*\(ENOSPC\)/,
    )
    expect(await readdir(folder)).toEqual([])
    expect(await readSecrets({ file })).toHaveLength(1)
  })

  test.each(['', '\n', '\0\0\0\0'])(
    'replaces an empty file (%j) from an earlier version and logs a warning',
    async (text) => {
      const file = join(folder, 'secret')
      await writeFile(file, text)
      const messages: string[] = []
      const secrets = await readSecrets({ file, log: (_, message) => messages.push(message) })
      expect(secrets[0]?.length).toBe(43)
      expect(messages.join()).toMatch(/empty/)
      expect(await readSecrets({ file })).toEqual(secrets)
    },
  )

  test('rejects a truncated file with an explanation and leaves the file unchanged', async () => {
    const file = join(folder, 'secret')
    await writeFile(file, 'only-half-of-it')
    await expect(readSecrets({ file })).rejects.toThrow(
      /is incomplete \(15 characters; at least 32 are required\)\. Restore the file from a backup/,
    )
    expect(await readFile(file, 'utf8')).toBe('only-half-of-it')
  })

  test('rotating adds a secret at the top, and retiring removes all secrets except the newest one', async () => {
    const file = join(folder, 'secret')
    const [first = ''] = await readSecrets({ file })
    await rotateSecret(file)
    const both = await readSecrets({ file })
    expect([both.length, both[1]]).toEqual([2, first])
    expect(await retireSecrets(file)).toBe(1)
    expect(await readSecrets({ file })).toEqual([both[0]])
    expect(await retireSecrets(file)).toBe(0)
  })
})

describe('the PGlite folder', { timeout: 120_000 }, () => {
  const use = async (connection: Connection): Promise<void> => {
    try {
      await connection.use(async () => {})
    } finally {
      await connection.close()
    }
  }

  test('the database is created if the package does not include a prebuilt one', async () => {
    const assets = join(folder, 'assets')
    await mkdir(assets)
    await symlink(join(assetsFolder(), 'migrations'), join(assets, 'migrations'))
    await use(pgliteConnection({ folder, assets }))
    expect(existsSync(join(folder, 'db/PG_VERSION'))).toBe(true)
    expect(existsSync(join(folder, 'db.unfinished'))).toBe(false)
  })

  test('an interrupted first start is repeated, and a complete database is never replaced', async () => {
    await mkdir(join(folder, 'db/base'), { recursive: true })
    await writeFile(join(folder, 'db/PG_VERSION'), '17')
    await writeFile(join(folder, 'db.unfinished'), '')
    await use(pgliteConnection({ folder }))
    expect(existsSync(join(folder, 'db.unfinished'))).toBe(false)
    await writeFile(join(folder, 'db/of-the-owner'), '')
    await use(pgliteConnection({ folder }))
    expect(existsSync(join(folder, 'db/of-the-owner'))).toBe(true)
  })

  test('renames an incomplete database from an earlier version instead of deleting it', async () => {
    await mkdir(join(folder, 'db/base'), { recursive: true })
    await writeFile(join(folder, 'db/PG_VERSION'), '17')
    await use(pgliteConnection({ folder }))
    const aside = (await readdir(folder)).filter((name) => name.startsWith('db.incomplete-'))
    expect(aside).toHaveLength(1)
    expect(await readFile(join(folder, aside[0] ?? '', 'PG_VERSION'), 'utf8')).toBe('17')
  })

  // Uses a small file system if this machine can mount one. Otherwise, the fake disk above covers the case.
  test('a first start on a full disk fails, and succeeds once there is space', async () => {
    const small = join(folder, 'small')
    await mkdir(small)
    let isMounted = false
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small], { stdio: 'ignore' })
      isMounted = true
    } catch {
      // Mounting requires root.
    }
    try {
      if (isMounted) {
        await expect(use(pgliteConnection({ folder: small }))).rejects.toThrow(/full|space/i)
        execFileSync('mount', ['-o', 'remount,size=200m', small], { stdio: 'ignore' })
      } else {
        await mkdir(join(small, 'db'))
        await writeFile(join(small, 'db.unfinished'), '')
      }
      await use(pgliteConnection({ folder: small }))
      expect(existsSync(join(small, 'db.unfinished'))).toBe(false)
    } finally {
      if (isMounted) execFileSync('umount', ['-l', small], { stdio: 'ignore' })
    }
  })

  test('reports a path that is not a folder', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    await expect(use(pgliteConnection({ folder: join(file, 'data') }))).rejects.toThrow(
      /is not a folder: set DATA_DIR to a folder/,
    )
    await expect(use(pgliteConnection({ folder: file }))).rejects.toThrow(/is not a folder: set DATA_DIR to a folder/)
    await chmod(file, 0o600)
  })

  // On Linux, Node's recursive `mkdir` never returns for a path in /proc.
  test.runIf(existsSync('/proc/self'))('immediately reports a path in which no folder can be created', async () => {
    await expect(use(pgliteConnection({ folder: '/proc/nope/data' }))).rejects.toThrow(
      '/proc/nope cannot be created: set DATA_DIR to a folder on a disk.',
    )
  })
})
