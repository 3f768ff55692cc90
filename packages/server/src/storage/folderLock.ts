import { open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeFolder } from './durableFiles.ts'

/**
 * Locks a folder and resolves to a function that unlocks it. Waits up to `waitMs` while another process holds the lock. Takes
 * over a lock that was left behind by a dead process.
 */
export async function lockFolder(folder: string, { waitMs }: { waitMs: number }): Promise<() => Promise<void>> {
  const file = join(folder, 'lock')
  await makeFolder(folder)
  for (let waited = 0; ; waited += 100) {
    if (await claim(file)) {
      if (waited > 0) await rm(join(folder, 'wanted'), { force: true })
      return () => rm(file, { force: true })
    }
    const claimed = await readFile(file, 'utf8').catch(() => '')
    const [pid = 0, startedAt = 0] = claimed.split(' ').map(Number)
    // An empty lock file is still being written, unless the file is old.
    const isLeftover = claimed === '' ? waited > 1000 : !isAlive(pid, startedAt)
    if (isLeftover) await rm(file, { force: true })
    else if (waited >= waitMs) throw new Error(`The folder ${folder} is in use by process ${pid}.`)
    else {
      await writeFile(join(folder, 'wanted'), '', { mode: 0o600 })
      await pause(100)
    }
  }
}

/** Returns whether another process is waiting for the folder. */
export async function isWanted(folder: string): Promise<boolean> {
  const startedAt = await stat(join(folder, 'wanted')).catch(() => undefined)
  return startedAt !== undefined && Date.now() - startedAt.mtimeMs < 2000
}

async function claim(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(`${process.pid} ${ownStart()}`)
    } catch (error) {
      // A full disk can have room for a file name but not for the content. An empty lock file would delay the next start.
      await rm(file, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isAlive(pid: number, startedAt: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  // In a container, every start can have the same PID, so the start times are compared too.
  if (pid === process.pid) return Math.abs(startedAt - ownStart()) < 2000
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function ownStart(): number {
  return Math.round(Date.now() - process.uptime() * 1000)
}
