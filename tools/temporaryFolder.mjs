// Vitest runs `setup` before the tests of the project `node`, and the function that it returns afterwards. It provides a folder for
// temporary files in memory, if there is enough: the tests of the server unpack and remove 80 databases of 41 MB.

import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
/** Several times what the workers need at the same time. Containers often have only 64 MB. */
const minBytes = 2_000_000_000

/** Tests that run as root start PostgreSQL as a different user. */
const sharedMode = 0o1777

export function setup() {
  // A folder that the developer has set is used as it is.
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
