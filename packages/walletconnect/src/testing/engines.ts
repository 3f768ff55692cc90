import { type CryptoSource, type Primitives, primitives } from '../crypto/primitives.ts'

/** What a test runs once with WebCrypto's primitives and once with each that a library can stand for removed. */
export interface Engine {
  readonly name: string
  load(): Promise<Primitives>
}

/** This engine as it is, without its newer algorithms, and without a secure context. */
export function engines(): readonly Engine[] {
  const { subtle } = globalThis.crypto
  const getRandomValues: CryptoSource['getRandomValues'] = (array) => globalThis.crypto.getRandomValues(array)
  const old = {
    generateKey: () => Promise.reject(new DOMException('Unrecognized name', 'NotSupportedError')),
    importKey: subtle.importKey.bind(subtle),
    deriveBits: subtle.deriveBits.bind(subtle),
    digest: subtle.digest.bind(subtle),
  } as unknown as SubtleCrypto
  return [
    { name: 'WebCrypto', load: () => primitives(globalThis.crypto) },
    { name: 'WebCrypto of years ago', load: () => primitives({ getRandomValues, subtle: old }) },
    { name: 'no secure context', load: () => primitives({ getRandomValues }) },
  ]
}
