import { expect, test } from 'vitest'
import { encodeSignature } from './encodeSignature.ts'

const bytes = new Uint8Array([0, 1, 250, 251, 252, 253, 254, 255])

test.each([
  ['eip155', '0x0001fafbfcfdfeff'],
  ['polkadot', '0x0001fafbfcfdfeff'],
  ['solana', '15MTsqgRDG'],
  ['bip122', 'AAH6+/z9/v8='],
] as const)('a %s signature is encoded as %s', (namespace, text) => {
  expect(encodeSignature(namespace, bytes)).toBe(text)
})

test('a cosmos signature is the JSON that the wallet returned', () => {
  const json = '{"pub_key":{"value":"Aé=="},"signature":"c2ln"}'
  expect(encodeSignature('cosmos', new TextEncoder().encode(json))).toBe(json)
})

test('a cosmos signature that is not UTF-8 is invalid', () => {
  expect(() => encodeSignature('cosmos', bytes)).toThrow(expect.objectContaining({ code: 'sign-in/invalid' }))
})
