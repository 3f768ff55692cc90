import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Untrusted text is an object with one field. Code that reads this field could render it unsanitized, so only these files can
// read it.
const readers = ['decoders/untrustedText.ts']
const root = join(import.meta.dirname, '..')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.includes('testSamples'),
)
const source = (name: string): string => readFileSync(join(root, name), 'utf8')

test('only the sanitizer reads untrusted text', () => {
  expect(files.length).toBeGreaterThan(100)
  const looking = files.filter((name) => /\.untrusted\b|\{\s*untrusted\b(?!\()[^}]*\}\s*(?:=|:)/.test(source(name)))
  expect(looking).toEqual(readers)
})

test('only `SanitizedText` and `TextBox` render sanitized text', () => {
  const drawing = files.filter((name) => name.endsWith('.tsx') && source(name).includes('sanitizeText('))
  expect(drawing).toEqual(['screens/SanitizedText.tsx'])
})

test.each<[what: string, file: string, pattern: RegExp]>([
  ['a message', 'decoders/decodeMessage.ts', /readonly text: UntrustedText/],
  ['a domain name', 'decoders/decodeTypedData.ts', /readonly name: UntrustedText \| undefined/],
  ['a field of typed data', 'decoders/decodeTypedData.ts', /readonly value: UntrustedText \| readonly NamedValue\[\]/],
  ['a memo', 'decoders/solanaTransaction.ts', /readonly kind: 'memo'; readonly text: UntrustedText/],
  ['a token symbol', 'decoders/contractFacts.ts', /readonly symbol\?: UntrustedText/],
  ['a revert reason', 'decoders/simulateCalls.ts', /readonly reason: UntrustedText/],
])('%s is untrusted text', (_what, file, pattern) => {
  expect(source(file)).toMatch(pattern)
})

test.each(['willFail', 'failed', 'claimed', 'symbol', 'statement', 'resource'])(
  'no approval screen renders `%s` directly',
  (name) => {
    const drawing = files
      .filter((file) => /^screens\/(Calls|TypedData|Message|Solana|Effect|SanitizedText)/.test(file))
      .filter((file) => new RegExp(`>\\s*\\{[\\w.]*\\b${name}\\}`).test(source(file)))
    expect(drawing).toEqual([])
  },
)
