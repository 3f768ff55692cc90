import { type CryptoSource, primitives } from '../crypto/primitives.ts'
import type { Primitives } from '../crypto/primitiveTypes.ts'

/** A crypto engine for tests: native WebCrypto, or WebCrypto without the algorithms for which there is a fallback library. */
export interface CryptoEngine {
  readonly name: string
  /** The source to pass to a client as `crypto`. */
  readonly source: CryptoSource
  load(): Promise<Primitives>
}

/** Returns the native engine, an engine without the newer algorithms, and an engine outside a secure context. */
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
    'WebCrypto without newer algorithms': { getRandomValues, subtle: old },
    'no secure context': { getRandomValues },
  }
  return Object.entries(sources).map(([name, source]) => ({ name, source, load: () => primitives(source) }))
}
