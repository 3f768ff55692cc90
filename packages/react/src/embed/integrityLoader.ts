/** The integrity hash and the static imports of each chunk, keyed by file name. */
type Pins = Readonly<Record<string, readonly [integrity: string, ...imports: string[]]>>

/**
 * Creates a function that imports a chunk relative to `base` after verifying the hashes of the chunk and of all its imports.
 * `integrity` is the hash of `pins.js`, which contains the hashes of the chunks.
 */
export function createIntegrityLoader(base: string, integrity: string): (file: string) => Promise<unknown> {
  const urlOf = (file: string): string => new URL(`./${file}`, base).href
  const fetched = new Map<string, Promise<void>>()
  let reading: Promise<Pins> | undefined

  /** Preloads a module with an integrity hash. If the hash does not match, the module does not run. A later call can retry. */
  const fetchPinned = (file: string, hash: string): Promise<void> => {
    const earlier = fetched.get(file)
    if (earlier) return earlier
    const loading = new Promise<void>((resolve, reject) => {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.integrity = hash
      link.href = urlOf(file)
      link.onload = () => resolve()
      link.onerror = () => {
        fetched.delete(file)
        link.remove()
        reject(new Error(`${link.href} did not load or does not match this build of Latchkey`))
      }
      document.head.append(link)
    })
    fetched.set(file, loading)
    return loading
  }

  const pinned = (): Promise<Pins> => {
    reading ??= fetchPinned('pins.js', integrity)
      .then(() => import(/* @vite-ignore */ urlOf('pins.js')) as Promise<{ readonly default: Pins }>)
      .then((module) => module.default)
    reading.catch(() => {
      reading = undefined
    })
    return reading
  }

  return async (file) => {
    const pins = await pinned()
    const all = new Set([file])
    for (const name of all) for (const imported of pins[name]?.slice(1) ?? []) all.add(imported)
    await Promise.all([...all].map((name) => fetchPinned(name, pins[name]?.[0] ?? 'sha384-none')))
    return import(/* @vite-ignore */ urlOf(file))
  }
}
