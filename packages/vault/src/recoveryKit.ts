import { toBase64Url } from '@latchkey/protocol/bytes'
import * as v from 'valibot'
import { canonicalJson } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import { KeyError } from './errors.ts'
import type { UnlockKey } from './keyWrapping.ts'
import { type VaultRecord, validateRecord } from './vaultRecord.ts'
import { deriveKey } from './webCrypto.ts'

// A recovery code has 160 bits, written as eight groups of five Crockford base32 characters. Each group contains four characters
// of the code and a check character, which covers those four characters and the group's position. A typo can therefore be located
// by group, and swapped groups are detected.

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupCount = 8
const qrPrefix = 'LATCHKEY-KIT:1:'

/** The reason why a typed recovery code is invalid, which the UI can use to highlight the error. */
export type RecoveryCodeError =
  | { readonly error: 'length'; readonly letters: number }
  | { readonly error: 'letter'; readonly letter: string }
  | { readonly error: 'group'; readonly group: number }

/** Generates a recovery code: 20 random bytes. */
export function generateRecoveryCode(environment: CryptoEnvironment): Bytes {
  return environment.random(20)
}

/** Returns a code in its printed form: eight groups of five characters, separated by hyphens. */
export function formatRecoveryCode(code: Bytes): string {
  return groupsOf(code).join('-')
}

/**
 * Returns the text of the QR code for a recovery code. It contains only characters that the compact alphanumeric mode supports.
 */
export function recoveryCodeQrText(code: Bytes): string {
  return qrPrefix + groupsOf(code).join('')
}

/**
 * Parses a typed or scanned code. Ignores case, spaces and hyphens, and reads O as 0 and I and L as 1.
 *
 * @example
 * const parsed = parseRecoveryCode(input.value)
 * if ('error' in parsed) highlight(parsed)
 * else key = await recoveryCodeUnlockKey(environment, parsed.code)
 */
export function parseRecoveryCode(input: string): { readonly code: Bytes } | RecoveryCodeError {
  const letters = [
    ...input
      .toUpperCase()
      .replace(qrPrefix, '')
      .replace(/[\s\-–—.]/g, ''),
  ].map(normalizeCharacter)
  const unknownCharacter = letters.find((letter) => !alphabet.includes(letter))
  if (unknownCharacter !== undefined) return { error: 'letter', letter: unknownCharacter }
  if (letters.length !== groupCount * 5) return { error: 'length', letters: letters.length }
  const values = letters.map((letter) => alphabet.indexOf(letter))
  const groups = Array.from({ length: groupCount }, (_, at) => values.slice(at * 5, at * 5 + 5))
  const invalidGroup = groups.findIndex((group, at) => checksumOf(group.slice(0, 4), at) !== group[4])
  if (invalidGroup >= 0) return { error: 'group', group: invalidGroup + 1 }
  return { code: packBits(groups.flatMap((group) => group.slice(0, 4))) }
}

/**
 * Creates the unlock key for a recovery code. The key's ID, which identifies its wrapper, is derived from the code without
 * revealing it.
 *
 * @throws {RangeError} if the code is not 20 bytes long.
 */
export async function recoveryCodeUnlockKey(environment: CryptoEnvironment, code: Bytes): Promise<UnlockKey> {
  if (code.length !== 20) throw new RangeError('A recovery code must have 20 bytes.')
  const id = await deriveKey(environment, code, new Uint8Array(32), { use: 'kit-id' })
  return { kind: 'kit', id: toBase64Url(id.subarray(0, 16)), secret: async () => code.slice() }
}

const RecoveryKitFileSchema = v.strictObject({
  type: v.literal('latchkey-recovery-kit'),
  format: v.literal(1),
  createdAt: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  page: v.strictObject({ sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
  record: v.unknown(),
})

/**
 * The contents of a recovery kit file: the encrypted vault, and the hash of the page that opens the vault without the server. The
 * file does not contain the recovery code.
 */
export interface RecoveryKitFile {
  /** When the kit was created, in epoch milliseconds. */
  readonly createdAt: number
  /** The SHA-256 hash of the recovery page, in hex. */
  readonly pageHash: string
  /** The record that the kit's recovery code opens. */
  readonly record: VaultRecord
}

/** Returns the text of a recovery kit file. */
export function serializeRecoveryKitFile({ createdAt, pageHash, record }: RecoveryKitFile): string {
  return canonicalJson({ type: 'latchkey-recovery-kit', format: 1, createdAt, page: { sha256: pageHash }, record })
}

/**
 * Parses a recovery kit file.
 * @throws {KeyError} `vault/malformed` if the file is invalid.
 */
export function parseRecoveryKitFile(text: string): RecoveryKitFile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new KeyError('vault/malformed', 'not a recovery kit')
  }
  const result = v.safeParse(RecoveryKitFileSchema, value)
  if (!result.success) throw new KeyError('vault/malformed', 'not a recovery kit')
  const { createdAt, page, record } = result.output
  return { createdAt, pageHash: page.sha256, record: validateRecord(record) }
}

function groupsOf(code: Bytes): string[] {
  const bits = code.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
  const values = Array.from({ length: 32 }, (_, at) => Number((bits >> BigInt(155 - at * 5)) & 31n))
  return Array.from({ length: groupCount }, (_, at) => {
    const four = values.slice(at * 4, at * 4 + 4)
    return [...four, checksumOf(four, at)].map((value) => alphabet[value]).join('')
  })
}

function packBits(values: readonly number[]): Bytes {
  const code = new Uint8Array(20)
  values.forEach((value, at) => {
    for (let bit = 0; bit < 5; bit++) {
      const place = at * 5 + bit
      code[place >> 3]! |= ((value >> (4 - bit)) & 1) << (7 - (place & 7))
    }
  })
  return code
}

/** Returns a weighted checksum over GF(32). It detects every single-character error and every swap of adjacent characters. */
function checksumOf(values: readonly number[], place: number): number {
  return values.reduce((sum, value, at) => sum ^ multiplyGf32(value, at + 2), place + 1)
}

function multiplyGf32(a: number, b: number): number {
  let product = 0
  for (let bit = 0; bit < 5; bit++) if ((b >> bit) & 1) product ^= a << bit
  // Reduce modulo x^5 + x^2 + 1, which is irreducible.
  for (let bit = 9; bit >= 5; bit--) if ((product >> bit) & 1) product ^= 0b100101 << (bit - 5)
  return product
}

function normalizeCharacter(character: string): string {
  return character === 'O' ? '0' : character === 'I' || character === 'L' ? '1' : character
}
