import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs npm and resolves to its output. Uses a shell only on Windows, where npm requires one. */
export async function npm(
  args: readonly string[],
  { cwd, signal }: { cwd: string; signal?: AbortSignal | undefined },
): Promise<string> {
  const windows = process.platform === 'win32'
  const { stdout } = await promisify(execFile)(windows ? 'npm.cmd' : 'npm', [...args], {
    cwd,
    shell: windows,
    maxBuffer: 64 * 1024 * 1024,
    ...(signal && { signal }),
  })
  return stdout
}

/** Resolves to the tarball of a package from npm, without running any of its code. Rejects if the integrity hash differs. */
export async function pinnedPackage({
  name,
  version,
  integrity,
  scratch,
}: {
  name: string
  version: string
  integrity: string
  /** The folder for temporary files. */
  scratch: string
}): Promise<Uint8Array> {
  const into = await mkdtemp(join(scratch, 'pack-'))
  try {
    await npm(['pack', `${name}@${version}`, '--pack-destination', into, '--ignore-scripts'], { cwd: into })
    const file = (await readdir(into)).find((entry) => entry.endsWith('.tgz'))
    if (!file) throw new Error('npm pack created no package.')
    const tgz = await readFile(join(into, file))
    const seen = `sha512-${createHash('sha512').update(tgz).digest('base64')}`
    if (seen !== integrity)
      throw new Error(`${name}@${version} has the integrity ${seen}, but ${integrity} was expected.`)
    return tgz
  } finally {
    await rm(into, { recursive: true, force: true })
  }
}
