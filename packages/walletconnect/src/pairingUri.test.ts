import { expect, test } from 'vitest'
import { formatPairingUri, parsePairingUri } from './pairingUri.ts'

const topic = 'c0'.repeat(32)
const symKey = new Uint8Array(32).fill(7)

test('a pairing URI can be formatted and parsed', () => {
  const uri = { topic, symKey, expiry: 1_735_689_900, methods: ['wc_sessionPropose', 'wc_sessionAuthenticate'] }
  expect(formatPairingUri(uri)).toBe(
    `wc:${topic}@2?relay-protocol=irn&symKey=${'07'.repeat(32)}&expiryTimestamp=1735689900&methods=wc_sessionPropose,wc_sessionAuthenticate`,
  )
  expect(parsePairingUri(formatPairingUri(uri))).toEqual(uri)
})

test.each([
  ['with slashes', `wc://${topic}@2?symKey=${'07'.repeat(32)}&relay-protocol=irn`],
  ['in upper case', `WC:${topic.toUpperCase()}@2?symKey=${'07'.repeat(32)}`],
  ['with surrounding white space', ` wc:${topic}@2?symKey=${'07'.repeat(32)}\n`],
  ['with an invalid expiry', `wc:${topic}@2?symKey=${'07'.repeat(32)}&expiryTimestamp=soon`],
])('parses a URI %s', (_, text) => {
  expect(parsePairingUri(text)).toEqual({ topic, symKey, expiry: undefined, methods: [] })
})

test.each([
  ['an empty string', ''],
  ['a different kind of link', 'https://example.com/wc?uri=1'],
  ['a version 1 URI', `wc:${topic}@1?bridge=https%3A%2F%2Fb.example&key=${'07'.repeat(32)}`],
  ['a URI without a symmetric key', `wc:${topic}@2?relay-protocol=irn`],
  ['a URI whose key is too short', `wc:${topic}@2?relay-protocol=irn&symKey=0707`],
  ['a URI whose key is not hex', `wc:${topic}@2?relay-protocol=irn&symKey=${'zz'.repeat(32)}`],
  ['a URI for a different relay protocol', `wc:${topic}@2?relay-protocol=waku&symKey=${'07'.repeat(32)}`],
  ['a URI whose topic is too short', `wc:c0@2?relay-protocol=irn&symKey=${'07'.repeat(32)}`],
  ['a URI with a million characters', `wc:${topic}@2?symKey=${'07'.repeat(32)}&x=${'y'.repeat(1_000_000)}`],
])('%s is not a pairing URI', (_, text) => {
  expect(parsePairingUri(text)).toBeUndefined()
})
