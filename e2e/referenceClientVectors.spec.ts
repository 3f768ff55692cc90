import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './support/referenceClient.ts'

// Checks our client's test vectors against the official client through its public interface.
const { agreement, envelope, pairing } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../packages/walletconnect/src/testing/vectors.json'), 'utf8'),
)

test('the official client derives the keys, topics and envelopes in our test vectors', async ({ officialClient }) => {
  const { crypto } = (await officialClient()).core
  const { alice, bob, key, topic } = agreement
  await crypto.keychain.set(bob.publicKey, bob.privateKey)
  expect(await crypto.generateSharedKey(bob.publicKey, alice.publicKey)).toBe(topic)
  expect(crypto.keychain.get(topic)).toBe(key)
  expect(await crypto.setSymKey(pairing.symKey)).toBe(pairing.topic)
  expect(await crypto.decode(topic, envelope.type0)).toEqual(JSON.parse(envelope.text))
  expect(await crypto.decode(topic, envelope.type1, { receiverPublicKey: bob.publicKey })).toEqual(
    JSON.parse(envelope.text),
  )
  const theirs = await crypto.encode(topic, JSON.parse(envelope.text))
  expect(Buffer.from(theirs, 'base64')[0]).toBe(0)
  expect(await crypto.decode(topic, theirs)).toEqual(JSON.parse(envelope.text))
})
