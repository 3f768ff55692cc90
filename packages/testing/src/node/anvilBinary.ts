import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pinnedPackage } from './pinnedPackage.ts'
import { fileInTarball } from './untar.ts'

const version = '1.7.1'

/** The packages with their expected integrity hashes. A package with a different hash is rejected. */
const pinned: Readonly<Record<string, { name: string; integrity: string; megabytes: number }>> = {
  'linux-x64': {
    name: '@foundry-rs/anvil-linux-amd64',
    integrity: 'sha512-+XmShybEaxfCrr0OUUZwYEy2OnYZt5pHH9TzBtLv3+VrK0O/ANuNSVEahqNhKHlgX7GRJ59383ofNhxkRWIYTg==',
    megabytes: 19,
  },
}

/** Returns the folder for downloads: LATCHKEY_CACHE, or a folder in the user's cache. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.LATCHKEY_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'latchkey')
}

/**
 * Resolves to the path of the anvil binary. This is LATCHKEY_ANVIL if it is set, and otherwise the pinned binary, which is
 * downloaded through npm if it is not cached. Platforms without a pinned binary use the `anvil` on the PATH.
 */
export async function anvilBinary({ say = () => {} }: { say?: (line: string) => void } = {}): Promise<string> {
  const own = process.env.LATCHKEY_ANVIL
  if (own) return own
  const platform = `${process.platform}-${process.arch}`
  const found = pinned[platform]
  if (!found) {
    const installed = await onPath('anvil')
    if (installed) return installed
    throw new Error(
      `The local chain requires anvil, but no pinned version exists for ${platform}. Install Foundry (getfoundry.sh), or set LATCHKEY_ANVIL to the path of an anvil binary.`,
    )
  }
  const folder = join(cacheFolder(), `anvil-${version}-${platform}`)
  const binary = join(folder, 'anvil')
  if (await executable(binary)) return binary
  say(`Downloading the local chain (first use only): ${found.name}@${version}, ${found.megabytes} MB, to ${folder}`)
  await mkdir(cacheFolder(), { recursive: true })
  const scratch = await mkdtemp(join(cacheFolder(), 'fetch-'))
  try {
    const tgz = await pinnedPackage({ ...found, version, scratch }).catch((cause: unknown) => {
      throw new Error(
        `The local chain could not be downloaded (${found.name}@${version}). If you are offline, set LATCHKEY_ANVIL to the path of an anvil binary.`,
        { cause },
      )
    })
    const bytes = fileInTarball(tgz, 'package/bin/anvil')
    if (!bytes) throw new Error(`${found.name}@${version} contains no bin/anvil.`)
    await mkdir(folder, { recursive: true })
    const partial = join(scratch, 'anvil')
    await writeFile(partial, bytes, { mode: 0o755 })
    // The rename is atomic, so concurrent downloads never leave a partial file behind.
    await rename(partial, binary)
    return binary
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function onPath(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, process.platform === 'win32' ? `${program}.exe` : program)
    if (folder !== '' && (await executable(path))) return path
  }
  return undefined
}

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
