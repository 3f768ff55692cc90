import { expect, test } from 'vitest'
import { type SanitizeOptions, sanitizeText, untrusted } from './untrustedText.ts'

const read = (text: string, options?: SanitizeOptions) => sanitizeText(untrusted(text), options)
const plain = { hasHiddenSigns: false, isShortened: false }

test.each([
  'USD Coin',
  'Good morning, Bäckerei №4',
  '日本語のトークン',
  'عملة',
  '👨‍👩‍👧 family',
  '🏳️‍🌈',
  '1️⃣',
  'می‌خواهم',
  'क्‍ष',
  'é',
])('leaves %s unchanged', (text) => {
  expect(read(text)).toEqual({ ...plain, text })
})

test.each<[what: string, text: string, shown: string]>([
  ['a right-to-left override', 'pay \u202Eelpoep', 'pay ‹U+202E›elpoep'],
  ['a bidirectional isolate', 'a\u2066b\u2069', 'a‹U+2066›b‹U+2069›'],
  ['an Arabic letter mark', 'a\u061cb', 'a‹U+061C›b'],
  ['a zero-width space', 'USD\u200bC', 'USD‹U+200B›C'],
  ['a zero-width joiner between Latin letters', 'USD\u200dC', 'USD‹U+200D›C'],
  ['a zero-width non-joiner between Latin letters', 'USD\u200cC', 'USD‹U+200C›C'],
  ['a word joiner', 'USD\u2060C', 'USD‹U+2060›C'],
  ['a byte order mark', '\ufeffUSDC', '‹U+FEFF›USDC'],
  ['a soft hyphen', 'USD\u00adC', 'USD‹U+00AD›C'],
  ['a variation selector after a letter', 'USDC\ufe0f', 'USDC‹U+FE0F›'],
  ['a supplementary variation selector', 'USDC\u{e0101}', 'USDC‹U+E0101›'],
  ['a tag character', 'USDC\u{e0041}', 'USDC‹U+E0041›'],
  ['a combining grapheme joiner', 'USD\u034fC', 'USD‹U+034F›C'],
  ['a Hangul filler', 'USDC\u3164', 'USDC‹U+3164›'],
  ['a musical null notehead', 'USD\u{1d159}C', 'USD‹U+1D159›C'],
  ['a blank hieroglyph', 'USD\u{13441}C\u{13442}', 'USD‹U+13441›C‹U+13442›'],
  ['a Khitan filler character', 'USD\u{16fe4}C', 'USD‹U+16FE4›C'],
  ['a blank Braille pattern', 'USDC\u2800', 'USDC‹U+2800›'],
  ['a bell character', 'a\u0007b', 'a‹U+0007›b'],
  ['a C1 next-line character', 'a\u0085b', 'a‹U+0085›b'],
  ['line and paragraph separators', 'a\u2028b\u2029c', 'a‹U+2028›b‹U+2029›c'],
  ['a lone high surrogate', 'a\ud800b', 'a‹U+D800›b'],
  ['a lone low surrogate', 'a\udc00b', 'a‹U+DC00›b'],
  ['a private-use character', 'a\ue000b', 'a‹U+E000›b'],
  ['a noncharacter', 'a\uffffb', 'a‹U+FFFF›b'],
  ['a line break in a label', 'a\nb', 'a‹U+000A›b'],
  ['a tab in a label', 'a\tb', 'a‹U+0009›b'],
])('shows %s as its code point', (_what, text, shown) => {
  expect(read(text)).toEqual({ text: shown, hasHiddenSigns: true, isShortened: false })
})

test('collapses runs of spaces in a label and keeps single spaces', () => {
  expect(read(`Dollar${'\u2003\u3000'.repeat(30)}not verified`)).toEqual({ ...plain, text: 'Dollar not verified' })
  expect(read('a     b')).toEqual({ ...plain, text: 'a b' })
  expect(read('日本\u3000円')).toEqual({ ...plain, text: '日本\u3000円' })
  expect(read('a   b', { lines: true })).toEqual({ ...plain, text: 'a   b' })
})

test('keeps line breaks in multi-line text, except lone carriage returns', () => {
  expect(read('a\nb\tc\r\nd', { lines: true })).toEqual({ ...plain, text: 'a\nb\tc\r\nd' })
  expect(read('a\rb', { lines: true }).text).toBe('a‹U+000D›b')
  expect(read('a\u2028b\u000bc', { lines: true }).text).toBe('a‹U+2028›b‹U+000B›c')
})

test('limits stacked combining marks', () => {
  const tower = `Z${'\u0300'.repeat(40)}`
  const { text, hasHiddenSigns } = read(tower)
  expect([...text.matchAll(/\u0300/g)]).toHaveLength(4)
  expect(hasHiddenSigns).toBe(true)
})

test('limits the length of a label in graphemes', () => {
  expect(read('abcdef', { maxLength: 3 })).toEqual({ text: 'abc…', hasHiddenSigns: false, isShortened: true })
  expect(read('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', { maxLength: 2 }).text).toBe('👨‍👩‍👧👨‍👩‍👧…')
  expect(read('x'.repeat(1_000_000)).text).toBe(`${'x'.repeat(120)}…`)
  expect(read('x'.repeat(1_000_000), { lines: true }).isShortened).toBe(false)
  expect(read(`Z${'\u0300'.repeat(100_000)}`).text.length).toBeLessThan(20_000)
})

test('replaces all invisible characters', () => {
  for (let code = 0; code <= 0x10ffff; code += code < 0x3100 ? 1 : 37) {
    const sign = String.fromCodePoint(code)
    if (!/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(sign)) continue
    const { text, hasHiddenSigns } = read(`a${sign}b`)
    expect([text.includes(sign), hasHiddenSigns], code.toString(16)).toEqual([false, true])
  }
})
