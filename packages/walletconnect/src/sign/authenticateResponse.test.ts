import { expect, test } from 'vitest'
import { createKeyPair, formatKey, parseKey } from '../crypto/keyPair.ts'
import { page, pocket, twoPeers } from '../testing/peerPair.ts'
import { readAuthenticateResponse, sealResponseTo } from './authenticateResponse.ts'

const cacao = {
  h: { t: 'caip122' },
  p: {
    iss: 'did:pkh:eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    domain: 'shop.example',
    aud: page.url,
    version: '1',
    nonce: '0123456789abcdef',
    iat: '2026-11-21T12:00:00.000Z',
  },
  s: { t: 'eip191', s: '0x00' },
}
const publicKey = 'ab'.repeat(32)
const result = { cacaos: [cacao], responder: { publicKey, metadata: pocket } }

test('a response is accepted if its sender is the responder', () => {
  expect(readAuthenticateResponse({ result, sender: parseKey(publicKey) })).toMatchObject(result)
})

test.each([
  ['a different sender', parseKey('cd'.repeat(32))],
  ['no sender', undefined],
])('a response with %s is rejected', (_, sender) => {
  expect(() => readAuthenticateResponse({ result, sender })).toThrow(
    expect.objectContaining({ code: 'session/invalid' }),
  )
})

test('a response is encrypted for the dapp’s public key, and sent on the topic of that key', async () => {
  const { dapp, wallet } = await twoPeers()
  const keys = await createKeyPair(dapp.rpc.crypto)
  const { topic, sealing } = await sealResponseTo(wallet.rpc, keys.publicKey)
  expect(topic).toBe(await dapp.rpc.topicOf(parseKey(keys.publicKey)))
  expect(sealing.key).toEqual(await dapp.rpc.deriveSharedKey(keys.privateKey, formatKey(sealing.sender)))
})
