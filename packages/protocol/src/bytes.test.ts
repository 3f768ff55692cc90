import { expect, test } from 'vitest'
import {
  equalBytes,
  fromBase58,
  fromBase64,
  fromBase64Url,
  fromHex,
  fromUtf8,
  toBase58,
  toBase64,
  toBase64Url,
  toHex,
  toUtf8,
} from './bytes.ts'
import { seededRandom } from './testing/seededRandom.ts'

test('encoding and then decoding returns the same bytes in every encoding (500 random values)', () => {
  const { int } = seededRandom(3)
  for (let turn = 0; turn < 500; turn++) {
    const bytes = Uint8Array.from({ length: int(64) }, () => int(256))
    expect(fromHex(toHex(bytes))).toEqual(bytes)
    expect(fromHex(toHex(bytes).slice(2).toUpperCase())).toEqual(bytes)
    expect(fromBase58(toBase58(bytes))).toEqual(bytes)
    expect(fromBase64(toBase64(bytes))).toEqual(bytes)
    expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
    expect(equalBytes(bytes, Uint8Array.from(bytes))).toBe(true)
  }
})

test('encodes known values correctly', () => {
  expect(toHex(toUtf8('hé'))).toBe('0x68c3a9')
  expect(toBase58(toUtf8('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U')
  expect(toBase64(Uint8Array.of(251, 255))).toBe('+/8=')
  expect(toBase64Url(Uint8Array.of(251, 255))).toBe('-_8')
  expect(fromUtf8(toUtf8('💸'))).toBe('💸')
})

test('returns undefined for invalid input instead of throwing', () => {
  for (const text of ['0x1', '0xzz', 'é', '0x0x00']) expect(fromHex(text)).toBeUndefined()
  for (const text of ['0', 'O', 'l', ' ', '1'.repeat(1701)]) expect(fromBase58(text)).toBeUndefined()
  for (const text of ['a', 'ab=c', '-_8']) expect(fromBase64(text)).toBeUndefined()
  for (const text of ['+/8', 'ab==']) expect(fromBase64Url(text)).toBeUndefined()
  expect(fromUtf8(Uint8Array.of(0xff))).toBeUndefined()
})

test('byte arrays are equal if they have the same length and the same values', () => {
  expect(equalBytes(Uint8Array.of(), Uint8Array.of())).toBe(true)
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false)
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false)
})
