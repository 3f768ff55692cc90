import { fromBase64, toBase64 } from '@latchkey/protocol/bytes'
import { expect, test } from 'vitest'
import { openEnvelope, readEnvelope, seal } from './envelope.ts'
import { cryptoEngines } from './testing/cryptoEngines.ts'

const key = new Uint8Array(32).fill(5)

test.each(cryptoEngines())(
  'both envelope types can be decrypted only with the correct key: $name',
  async ({ load }) => {
    const crypto = await load()
    const sender = crypto.random(32)
    for (const sealing of [{}, { sender }]) {
      const message = await seal(crypto, { key, text: '{"id":1,"result":"ß🦊"}', ...sealing })
      const envelope = readEnvelope(message)
      if (!envelope) throw new Error('It can be read')
      expect(envelope.sender).toEqual(sealing.sender)
      expect(await openEnvelope(crypto, { envelope, key })).toBe('{"id":1,"result":"ß🦊"}')
      expect(await openEnvelope(crypto, { envelope, key: crypto.random(32) })).toBeUndefined()
    }
  },
)

test.each(cryptoEngines())('a change to any byte of an envelope is detected: $name', async ({ load }) => {
  const crypto = await load()
  const bytes = fromBase64(await seal(crypto, { key, text: 'pay 1' })) ?? new Uint8Array()
  for (let at = 1; at < bytes.length; at++) {
    const changed = bytes.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    const envelope = readEnvelope(toBase64(changed))
    expect(envelope && (await openEnvelope(crypto, { envelope, key }))).toBeUndefined()
  }
})

test.each([
  ['an empty string', ''],
  ['invalid Base64', '*'],
  ['a message of an unknown type', toBase64(new Uint8Array(64).fill(2))],
  ['a message that is too short to contain a tag', toBase64(new Uint8Array(28))],
  ['a message that is too short to contain its sender’s key', toBase64(Uint8Array.of(1, ...new Uint8Array(59)))],
])('%s is not an envelope', (_, message) => {
  expect(readEnvelope(message)).toBeUndefined()
})
