import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Takes a folder for this process and gives back how to leave it. Waits while another process has it; a dead one's claim is taken over. */
export async function lockFolder(folder: string, { waitMs }: { waitMs: number }): Promise<() => Promise<void>> {
  const file = join(folder, 'lock')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let waited = 0; ; waited += 100) {
    if (await claim(file)) return () => rm(file, { force: true })
    const holder = Number(await readFile(file, 'utf8').catch(() => ''))
    // An empty file is one that is being written just now; only an old one is a leftover.
    if ((holder > 0 || waited > 1000) && !isOtherProcess(holder)) await rm(file, { force: true })
    else if (waited >= waitMs) throw new Error(`The folder ${folder} is in use by process ${holder}.`)
    else await pause(100)
  }
}

async function claim(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(String(process.pid))
    await handle.close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isOtherProcess(pid: number): boolean {
  if (pid <= 0) return false
  // Containers give every start the same number.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
