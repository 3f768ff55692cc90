import { expect, test } from 'vitest'
import { grantedBy } from './authenticatedSession.ts'
import { type Cacao, recapOf } from './cacao.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

function cacao(chain: number, methods: readonly string[]): Cacao {
  const resources = methods.length > 0 ? [recapOf(methods, [`eip155:${chain}`])] : []
  return {
    h: { t: 'caip122' },
    p: {
      iss: `did:pkh:eip155:${chain}:${address}`,
      domain: 'shop.example',
      aud: 'https://shop.example/',
      version: '1',
      nonce: '0123456789abcdef',
      iat: '2026-11-21T12:00:00.000Z',
      resources,
    },
    s: { t: 'eip191', s: '0x00' },
  }
}

test('a sign-in grants the methods in all ReCaps, on the chains in the CACAOs', () => {
  expect(grantedBy([cacao(1, ['personal_sign']), cacao(10, ['eth_sendTransaction', 'personal_sign'])])).toEqual({
    eip155: {
      chains: ['eip155:1', 'eip155:10'],
      accounts: [`eip155:1:${address}`, `eip155:10:${address}`],
      methods: ['personal_sign', 'eth_sendTransaction'],
      events: ['chainChanged', 'accountsChanged'],
    },
  })
})

test.each([
  [null, 'No recap provided'],
  [{}, 'No `att` property found'],
  [{ att: { eip155: 7 } }, 'Resource must be an object'],
])(
  'a sign-in with the invalid ReCap %j fails with a specific message, even if another ReCap is valid [R8.11]',
  (value, text) => {
    const valid = cacao(1, ['personal_sign'])
    const resources = [`urn:recap:${btoa(JSON.stringify(value))}`]
    const invalid: Cacao = { ...valid, p: { ...valid.p, resources } }
    for (const cacaos of [[invalid], [valid, invalid], [invalid, valid]]) expect(() => grantedBy(cacaos)).toThrow(text)
  },
)

test('a sign-in without a ReCap grants nothing', () => {
  expect(grantedBy([cacao(1, [])])).toBeUndefined()
})
