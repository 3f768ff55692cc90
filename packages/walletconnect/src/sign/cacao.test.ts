import { readMessage, writeMessage } from '@latchkey/siwx/message'
import { expect, test } from 'vitest'
import { messageOf, recapOf } from './cacao.ts'

const address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const payload = {
  domain: 'shop.example',
  aud: 'https://shop.example/',
  version: '1',
  nonce: 'Tz8sK2mQ4vLp',
  iat: '2026-01-02T03:04:05.000Z',
}
const recap = recapOf(['personal_sign', 'eth_sendTransaction'], ['eip155:1', 'eip155:137'])

test.each([
  ['only the required fields', {}],
  ['a statement', { statement: 'I agree to the terms: https://shop.example/terms' }],
  [
    'an expiry, a start time and a request ID',
    { exp: '2026-01-03T03:04:05Z', nbf: '2026-01-02T03:04:05Z', requestId: 'a-1' },
  ],
  ['a ReCap', { resources: [recap] }],
  [
    'a statement and a ReCap after another resource',
    { statement: 'Hello.', resources: ['https://shop.example/a', recap] },
  ],
])('the message for a CACAO with %s is a valid EIP-4361 message', (_, more) => {
  const text = messageOf({ ...payload, ...more }, `did:pkh:eip155:137:${address}`)
  const fields = readMessage(text, 'eip155')
  expect(fields).toMatchObject({
    domain: 'shop.example',
    chainId: 'eip155:137',
    accountAddress: address,
    nonce: payload.nonce,
  })
  expect(fields && writeMessage(fields)).toBe(text)
})
