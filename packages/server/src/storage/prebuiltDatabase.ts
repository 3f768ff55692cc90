import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import * as v from 'valibot'
import { assetsFolder } from './packageFiles.ts'

// When PGlite starts for the first time, it runs initdb in WebAssembly, which uses about 800 MB of memory. To avoid this, the
// server unpacks an empty database that `prebuildDatabase.mjs` has added to the package. The file contains a JSON header
// followed by the concatenated files, compressed with Brotli.

const header = v.object({
  /** The PGlite version that created the database. Other versions might not be able to read it. */
  pglite: v.string(),
  folders: v.array(v.string()),
  files: v.array(v.object({ path: v.string(), size: v.number() })),
})

/** The name of the file in the assets folder. */
const prebuiltName = 'database.br'

/**
 * Unpacks the prebuilt empty database into `folder`. Resolves to `false` if there is no prebuilt database, as in a checkout, or
 * if a different PGlite version created it.
 */
export async function unpackPrebuiltDatabase(folder: string, assets: string = assetsFolder()): Promise<boolean> {
  const packed = join(assets, prebuiltName)
  if (!existsSync(packed)) return false
  const bytes = await promisify(brotliDecompress)(await readFile(packed))
  const length = bytes.readUInt32BE(0)
  const { pglite, folders, files } = v.parse(header, JSON.parse(bytes.toString('utf8', 4, 4 + length)))
  if (pglite !== (await pgliteVersion())) return false
  const placeOf = (path: string): string => {
    const place = normalize(join(folder, path))
    if (place !== normalize(folder) && !place.startsWith(join(folder, sep)))
      throw new Error(`The prebuilt database contains an invalid path: ${path}.`)
    return place
  }
  for (const path of folders) await mkdir(placeOf(path), { recursive: true, mode: 0o700 })
  let at = 4 + length
  for (const { path, size } of files) {
    await writeFile(placeOf(path), bytes.subarray(at, at + size), { mode: 0o600 })
    at += size
  }
  return true
}

async function pgliteVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const text = await readFile(join(dirname(entry), '../package.json'), 'utf8')
  return v.parse(v.object({ version: v.string() }), JSON.parse(text)).version
}
