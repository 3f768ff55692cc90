import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import * as v from 'valibot'
import { assetsFolder } from '../packageFiles.ts'

// The first start of PGlite runs initdb in WebAssembly, which takes some 800 MB; an empty database that was made when this package was
// built is unpacked instead. `prebuild.mjs` writes the file: a header in JSON, then the files one after the other, in Brotli.

const header = v.object({
  /** The version of PGlite that made it; another one may not read it. */
  pglite: v.string(),
  folders: v.array(v.string()),
  files: v.array(v.object({ path: v.string(), size: v.number() })),
})

/** The name of the file in the folder `data`. */
const prebuiltName = 'database.br'

/** Unpacks the empty database of this package into `folder`; `false` where there is none, as in a checkout, or one of another PGlite. */
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
      throw new Error(`The database of this package names ${path}.`)
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
