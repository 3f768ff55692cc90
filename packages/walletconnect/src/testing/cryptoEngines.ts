import { type CryptoSource, type Primitives, primitives } from '../crypto/primitives.ts'

/** What a test runs once with WebCrypto's primitives and once with each that a library can stand for removed. */
export interface CryptoEngine {
  readonly name: string
  /** To be given to a client. */
  readonly source: CryptoSource
  load(): Promise<Primitives>
}

/** This engine as it is, without its newer algorithms, and without a secure context. */
export function cryptoEngines(): readonly CryptoEngine[] {
  const { subtle } = globalThis.crypto
  const getRandomValues: CryptoSource['getRandomValues'] = (array) => globalThis.crypto.getRandomValues(array)
  const old = {
    generateKey: () => Promise.reject(new DOMException('Unrecognized name', 'NotSupportedError')),
    importKey: subtle.importKey.bind(subtle),
    deriveBits: subtle.deriveBits.bind(subtle),
    digest: subtle.digest.bind(subtle),
  } as unknown as SubtleCrypto
  const sources: Readonly<Record<string, CryptoSource>> = {
    WebCrypto: globalThis.crypto,
    'WebCrypto of years ago': { getRandomValues, subtle: old },
    'no secure context': { getRandomValues },
  }
  return Object.entries(sources).map(([name, source]) => ({ name, source, load: () => primitives(source) }))
}
