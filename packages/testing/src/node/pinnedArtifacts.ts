import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { cacheFolder } from './anvilBinary.ts'
import { pinnedPackage } from './pinnedPackage.ts'
import { fileInTarball } from './untar.ts'

/** A package on npm with its expected integrity hash. */
export interface PinnedPackage {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

/**
 * Resolves to the creation code in the compiler artifacts of packages. Downloads the packages through npm if the code is not in
 * the file `cacheFile` of the cache folder. Change the name of that file whenever the packages change.
 */
export async function pinnedArtifacts<Package extends string, Name extends string>({
  cacheFile,
  packages,
  artifacts,
  announcement,
  say,
}: {
  cacheFile: string
  packages: Readonly<Record<Package, PinnedPackage>>
  /** The package and the path of each artifact. */
  artifacts: Readonly<Record<Name, readonly [from: Package, path: string]>>
  /** The line that is printed before a download. */
  announcement: string
  say: (line: string) => void
}): Promise<Readonly<Record<Name, Hex>>> {
  const file = join(cacheFolder(), cacheFile)
  const cached = await readFile(file, 'utf8').catch(() => undefined)
  if (cached !== undefined) return JSON.parse(cached) as Record<Name, Hex>
  say(announcement)
  await mkdir(cacheFolder(), { recursive: true })
  const scratch = await mkdtemp(join(cacheFolder(), 'fetch-'))
  try {
    const tarballs = new Map<string, Uint8Array>()
    for (const [key, pinned] of Object.entries<PinnedPackage>(packages))
      tarballs.set(key, await pinnedPackage({ ...pinned, scratch }))
    const codes = Object.fromEntries(
      Object.entries<readonly [string, string]>(artifacts).map(([name, [from, path]]) => [
        name,
        bytecodeIn(tarballs.get(from), path),
      ]),
    )
    // The rename is atomic, so concurrent downloads never leave a partial file behind.
    const partial = join(scratch, 'codes.json')
    await writeFile(partial, JSON.stringify(codes))
    await rename(partial, file)
    return codes as Record<Name, Hex>
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function bytecodeIn(tarball: Uint8Array | undefined, path: string): Hex {
  const bytes = tarball && fileInTarball(tarball, path)
  const artifact: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
  if (typeof artifact === 'object' && artifact !== null && 'bytecode' in artifact) {
    const { bytecode } = artifact
    if (typeof bytecode === 'string' && bytecode.startsWith('0x')) return bytecode as Hex
  }
  throw new Error(`${path} contains no bytecode.`)
}
