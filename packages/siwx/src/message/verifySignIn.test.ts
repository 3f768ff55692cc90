import { seededRandom } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { fixtureOf, signersOf, validAttempt } from '../testing/attacks.ts'
import { writeMessage } from './messageText.ts'
import type { SignatureVerifier, SignatureVerifiers, SignedText } from './signInTypes.ts'
import { verifySignIn } from './verifySignIn.ts'

const fixture = fixtureOf(seededRandom(1), 'solana', signersOf())
const { message, expected } = validAttempt(fixture)
const proofBy = (verifiers: SignatureVerifiers) =>
  verifySignIn({ message, signature: 'a signature', expected, verifiers })

test('the namespace’s verifier receives the message, the signature and the expected account', async () => {
  const requests: SignedText[] = []
  const solana: SignatureVerifier = async (signed) => {
    requests.push(signed)
    return true
  }
  expect(await proofBy({ solana })).toEqual({ ok: true, fields: fixture.fields })
  expect(requests).toEqual([{ account: expected.account, message, signature: 'a signature' }])
})

test('a namespace without a verifier is rejected, even if other verifiers are passed', async () => {
  const yes: SignatureVerifier = async () => true
  expect(await proofBy({})).toEqual({ ok: false, reason: 'signature' })
  expect(await proofBy({ eip155: yes, cosmos: yes })).toEqual({ ok: false, reason: 'signature' })
  expect(await proofBy(Object.create({ solana: yes }))).toEqual({ ok: false, reason: 'signature' })
})

test('any verifier result other than true is treated as a rejection', async () => {
  for (const answer of [false, undefined, null, 1, 'true', {}]) {
    expect(await proofBy({ solana: async () => answer as boolean })).toEqual({ ok: false, reason: 'signature' })
  }
})

test('no verifier is called for a message with unexpected values', async () => {
  const solana: SignatureVerifier = () => Promise.reject(new Error('asked'))
  const other = writeMessage({ ...fixture.fields, nonce: 'anothernonce' })
  expect(await verifySignIn({ message: other, signature: 'a', expected, verifiers: { solana } })).toEqual({
    ok: false,
    reason: 'nonce',
  })
})

test('an error from a verifier rejects the promise instead of resolving it to a verdict', async () => {
  await expect(proofBy({ solana: () => Promise.reject(new Error('no node')) })).rejects.toThrow('no node')
})

test('values that are not strings are rejected, even if the caller is not type-checked', async () => {
  const solana: SignatureVerifier = async () => true
  for (const wrong of [undefined, null, 1, {}, [message]]) {
    const verdict = await verifySignIn({ message: wrong as string, signature: 'a', expected, verifiers: { solana } })
    expect(verdict).toEqual({ ok: false, reason: 'unreadable' })
    const unsigned = await verifySignIn({ message, signature: wrong as string, expected, verifiers: { solana } })
    expect(unsigned).toEqual({ ok: false, reason: 'signature' })
  }
})
