import { base32crockford, base58, base64url, hex } from '@scure/base'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { parseRecoveryCode } from '../recoveryKit.ts'
import { type VaultRecord, validateRecord } from '../vaultRecord.ts'

/** A captured source, such as a database dump, a log, an environment or recorded traffic. */
export interface Captured {
  /** The name of the source, for the report. */
  readonly where: string
  readonly text: string
}

/** Bytes that could be a secret, and their source. */
export interface Candidate {
  readonly bytes: Uint8Array
  readonly where: string
  /** The encoding in which the bytes were found. */
  readonly as: string
}

/** An encrypted value: a nonce and a ciphertext. */
export interface SealedBox {
  readonly nonce: string
  readonly sealed: string
  readonly where: string
}

/** The records, candidate secrets, encrypted values and mnemonics found in captured data. */
export interface SecretScan {
  readonly records: readonly VaultRecord[]
  readonly candidates: readonly Candidate[]
  readonly boxes: readonly SealedBox[]
  /** Sequences of at least 12 words from the BIP-39 word list. */
  readonly sentences: readonly { readonly words: readonly string[]; readonly where: string }[]
}

const maxCandidates = 20_000
const words = new Set(wordlist)

/**
 * Scans captured data for secrets in every common encoding. Also searches byte arrays, percent-encoded text, and JSON nested in
 * other JSON or in logs.
 */
export function scanForSecrets(captured: readonly Captured[]): SecretScan {
  const records = new Map<string, VaultRecord>()
  const candidates = new Map<string, Candidate>()
  const boxes: SealedBox[] = []
  const sentences: { words: readonly string[]; where: string }[] = []

  function add(bytes: Uint8Array | undefined, where: string, as: string, minBytes = 16): void {
    if (!bytes || bytes.length < minBytes || bytes.length > 128 || candidates.size >= maxCandidates) return
    const id = hex.encode(bytes)
    if (!candidates.has(id)) candidates.set(id, { bytes, where, as })
  }

  for (const { where, text } of captured) {
    for (const leaf of nestedValues(text)) {
      if (typeof leaf !== 'string') {
        const record = tryRecord(leaf)
        if (record) records.set(`${record.wallet}/${record.version}/${record.tag}`, record)
        const box = leaf as { nonce?: unknown; sealed?: unknown }
        if (typeof box.nonce === 'string' && typeof box.sealed === 'string') {
          boxes.push({ nonce: box.nonce, sealed: box.sealed, where })
        }
        add(bytesFromList(leaf), where, 'a list of bytes')
        continue
      }
      for (const sentence of findSentences(leaf)) sentences.push({ words: sentence, where })
      for (const [bytes, as] of findEncodedBytes(leaf)) add(bytes, where, as)
      // The text itself can be a password, code or name that was used as a secret, or binary data stored as text.
      add(new TextEncoder().encode(leaf), where, 'a text', 4)
      if (/[\x80-\xff]/.test(leaf)) add(latin1(leaf), where, 'raw bytes')
      for (const [word] of leaf.length > 128 ? leaf.matchAll(/[^\s"'&,;=<>()[\]{}]{4,128}/g) : [])
        add(new TextEncoder().encode(word), where, 'a word', 4)
    }
  }
  return { records: [...records.values()], candidates: [...candidates.values()], boxes, sentences }
}

/** Returns every string and object in `text`, unwrapping nested encodings. */
function nestedValues(text: string): (string | object)[] {
  const found: (string | object)[] = []
  const seen = new Set<string>()
  const walk = (value: unknown, depth: number): void => {
    if (depth > 12) return
    if (typeof value === 'string') open(value, depth)
    if (typeof value !== 'object' || value === null) return
    found.push(value)
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) open(name, depth + 1)
      walk(inner, depth + 1)
    }
  }
  const open = (value: string, depth: number): void => {
    if (seen.has(value)) return
    seen.add(value)
    found.push(value)
    for (const json of findJson(value)) walk(json, depth + 1)
    // Unescape quoted columns in database dumps, and query strings.
    if (value.includes('\\"')) open(value.replaceAll('\\"', '"').replaceAll('\\\\', '\\'), depth + 1)
    if (value.includes("''")) open(value.replaceAll("''", "'"), depth + 1)
    for (const spaced of [value, value.replaceAll('+', ' ')]) {
      if (/%[0-9a-f]{2}/i.test(spaced)) open(spaced.replace(/(%[0-9a-f]{2})+/gi, decodePercent), depth + 1)
    }
  }
  open(text, 0)
  return found
}

/** Returns all JSON values in `text`. */
function findJson(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {}
  const found: unknown[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue
    const end = findClosing(text, at)
    if (end === undefined) continue
    try {
      found.push(JSON.parse(text.slice(at, end + 1)))
      at = end
    } catch {}
  }
  return found
}

function findClosing(text: string, from: number): number | undefined {
  let [depth, quoted] = [0, false]
  for (let at = from; at < text.length && at < from + 70_000; at++) {
    const letter = text[at]
    if (quoted) {
      if (letter === '\\') at++
      else if (letter === '"') quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === '{' || letter === '[') depth++
    else if ((letter === '}' || letter === ']') && --depth === 0) return at
  }
  return undefined
}

function tryRecord(value: object): VaultRecord | undefined {
  try {
    return validateRecord(value)
  } catch {
    return undefined
  }
}

/** Returns the bytes in a list such as `[1,2,…]` or `{"0":1,"1":2,…}`, or `undefined` if `value` is not such a list. */
function bytesFromList(value: object): Uint8Array | undefined {
  const list = Array.isArray(value) ? value : Object.values(value)
  const bytes = list.length >= 16 && list.every((item) => Number.isInteger(item) && item >= 0 && item < 256)
  return bytes ? Uint8Array.from(list as number[]) : undefined
}

function findSentences(text: string): string[][] {
  const found: string[][] = []
  let run: string[] = []
  for (const word of [...text.toLowerCase().split(/[^a-z]+/), '']) {
    if (words.has(word)) run.push(word)
    else if (word !== '' || run.length > 0) {
      if (run.length >= 12) found.push(run)
      if (word !== '') run = []
    }
  }
  if (run.length >= 12 && found.at(-1) !== run) found.push(run)
  return found
}

function findEncodedBytes(text: string): [Uint8Array | undefined, string][] {
  const found: [Uint8Array | undefined, string][] = []
  for (const [match] of text.matchAll(/(?:[0-9a-fA-F]{2}){16,128}/g)) {
    found.push([tryDecode(() => hex.decode(match.toLowerCase())), 'hex'])
  }
  for (const [match] of text.matchAll(/[A-Za-z0-9+/_-]{22,180}={0,2}/g)) {
    const bare = match.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
    const padded = bare + '='.repeat((4 - (bare.length % 4)) % 4)
    found.push([tryDecode(() => base64url.decode(padded)), 'base64'])
  }
  for (const [match] of text.matchAll(/[1-9A-HJ-NP-Za-km-z]{21,120}/g)) {
    found.push([tryDecode(() => base58.decode(match)), 'base58'])
  }
  for (const [match] of text.matchAll(/(?:[0-9A-Za-z]{5}[-\s]?){7}[0-9A-Za-z]{5}/g)) {
    const typed = parseRecoveryCode(match)
    if ('code' in typed) found.push([typed.code, 'a recovery code'])
  }
  for (const [match] of text.matchAll(/\b[0-9A-HJKMNP-TV-Z]{26,120}\b/gi)) {
    found.push([tryDecode(() => base32crockford.decode(match.toUpperCase())), 'base32'])
  }
  for (const [match] of text.matchAll(/(?:\d{1,3}[,\s]+){15,127}\d{1,3}/g)) {
    found.push([bytesFromList(match.split(/[,\s]+/).map(Number)), 'numbers'])
  }
  for (const [match] of text.matchAll(/(?:[0-9a-f]{2}[\s:]){15,127}[0-9a-f]{2}/gi)) {
    found.push([tryDecode(() => hex.decode(match.replace(/[\s:]/g, '').toLowerCase())), 'hex pairs'])
  }
  return found
}

function latin1(text: string): Uint8Array | undefined {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0)
  return codes.every((code) => code < 256) ? Uint8Array.from(codes) : undefined
}

function decodePercent(percent: string): string {
  return tryDecode(() => decodeURIComponent(percent)) ?? ''
}

function tryDecode<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
