import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'

/** The integrity hash and the static imports of each chunk, keyed by file name. */
type Pins = Readonly<Record<string, readonly [integrity: string, ...imports: string[]]>>

/**
 * Pins the chunks of a script-tag build. Writes `pins.js`, which contains the hash of each chunk, and rewrites dynamic imports to
 * go through the loader, so that the browser verifies each chunk. Returns the hash of `pins.js` for the loader's build.
 */
export function pinChunks(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.js') && file !== 'latchkey.js' && file !== 'pins.js')
    .sort()
  const pins: Record<string, readonly [string, ...string[]]> = {}
  for (const file of files) {
    const path = `${folder}/${file}`
    const resolve = (name: string): string => posix.normalize(posix.join(posix.dirname(file), name))
    // If a page imports the module without the loader, the code falls back to a plain `import()`.
    const text = readFileSync(path, 'utf8').replaceAll(
      /\bimport\((["'`])(\.[^"'`]+)\1\)/g,
      (whole, _quote: string, name: string) => `(globalThis.latchkeyLoad||(()=>${whole}))("${resolve(name)}")`,
    )
    writeFileSync(path, text)
    const imports = [...text.matchAll(/\b(?:from|import)\s*(["'])(\.[^"']+)\1/g)].map(([, , name]) =>
      resolve(name as string),
    )
    pins[file] = [integrityOf(text), ...new Set(imports)]
  }
  const text = `export default ${JSON.stringify(pins satisfies Pins)}\n`
  writeFileSync(`${folder}/pins.js`, text)
  return integrityOf(text)
}

/** Computes the `integrity` value for the loader, writes it to `integrity.json`, prints it and returns it. */
export function announceLoader(folder: string): string {
  const integrity = integrityOf(readFileSync(`${folder}/latchkey.js`, 'utf8'))
  writeFileSync(`${folder}/integrity.json`, `${JSON.stringify({ 'latchkey.js': integrity }, undefined, 2)}\n`)
  process.stdout.write(`latchkey.js  integrity="${integrity}"\n`)
  return integrity
}

function integrityOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`
}
