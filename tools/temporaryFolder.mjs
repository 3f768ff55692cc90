// Vitest runs `setup` before the tests in the project `node`, and the returned function after the tests. If there is enough
// memory, `setup` provides an in-memory folder for temporary files, because the server's tests unpack and remove 80 databases of
// 41 MB each.

import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
/** The minimum free space, which is several times what the workers need at any time. Containers often have only 64 MB. */
const minBytes = 2_000_000_000

/** Other users can write to the folder, because tests that run as root start PostgreSQL as a different user. */
const sharedMode = 0o1777

export function setup() {
  // A folder that the developer has set is used unchanged.
  if (process.env.TMPDIR || !existsSync(memory)) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < minBytes) return
  const folder = mkdtempSync(join(memory, 'latchkey-tests-'))
  chmodSync(folder, sharedMode)
  process.env.TMPDIR = folder
  return () => {
    delete process.env.TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}
