import { accountPlaceholder } from '@latchkey/protocol/specificationConstants'
import { expect, test } from 'vitest'
import { fakeAuthentication } from '../testing/fakeAuthentication.ts'
import { createSignInOnLogin } from './signInOnLogin.ts'

const address = '0x1111111111111111111111111111111111111111'
const checksummed = '0xAbCdEf0123456789aBcDeF0123456789ABCDef01'

/** Creates the message for a login on `chain`. Also returns the authentication adapter that receives the session. */
async function loginOn(chain: Parameters<ReturnType<typeof createSignInOnLogin>>[0] = 'eip155:1', more = {}) {
  const authentication = fakeAuthentication(more)
  const login = await createSignInOnLogin({ authentication })(chain)
  const signed = (by: string) => login?.message.replace(accountPlaceholder, by) ?? ''
  return { authentication, login, signed }
}

test('a login message contains a placeholder in place of the address and nowhere else', async () => {
  const { login, authentication } = await loginOn()
  expect(login?.message.split('\n').slice(0, 2)).toEqual([
    'shop.example wants you to sign in with your Ethereum account:',
    accountPlaceholder,
  ])
  expect(login?.message.split(accountPlaceholder)).toHaveLength(2)
  expect(login?.message).toContain('Nonce: nonce00000001')
  expect(login?.fields).toMatchObject({
    domain: 'shop.example',
    chainId: 'eip155:1',
    accountAddress: accountPlaceholder,
  })
  expect(authentication.calls).toEqual([['createMessage', { chain: 'eip155:1' }]])
})

test('no message is created for a chain that is not an EVM chain', async () => {
  const { login, authentication } = await loginOn('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
  expect(login).toBeUndefined()
  expect(authentication.calls).toEqual([])
})

test.each([
  ['that has no line for the address', 'Welcome to the shop'],
  ['that contains the address within a line', 'I am 0x0000000000000000000000000000000000000000'],
  [
    'that contains the address twice',
    '0x0000000000000000000000000000000000000000\nand\n0x0000000000000000000000000000000000000000',
  ],
])('a host’s message format %s is not signed during the login', async (_, text) => {
  expect((await loginOn('eip155:1', { writeMessage: () => text })).login).toBeUndefined()
})

test('a host’s message format that contains the address on the first line is accepted', async () => {
  const writeMessage = () => '0x0000000000000000000000000000000000000000\nis at the shop'
  expect((await loginOn('eip155:1', { writeMessage })).login?.message).toBe(`${accountPlaceholder}\nis at the shop`)
})

test.each([
  ['in its original case', checksummed],
  ['in lower case', checksummed.toLowerCase()],
])('the signed message is stored only once, with the address %s', async (_, by) => {
  const { login, authentication, signed } = await loginOn()
  const proof = { address: checksummed, message: signed(by), signature: '0xsigned' }
  await Promise.all([login?.keep(proof), login?.keep(proof)])
  expect(authentication.calls.filter(([name]) => name === 'addSession')).toEqual([
    [
      'addSession',
      {
        data: { ...login?.fields, accountAddress: by },
        message: signed(by),
        signature: '0xsigned',
      },
    ],
  ])
})

test('the account’s address is compared case-insensitively', async () => {
  const { login, authentication, signed } = await loginOn()
  await login?.keep({ address: checksummed.toLowerCase(), message: signed(checksummed), signature: '0xsigned' })
  expect([...authentication.stored.keys()]).toEqual([`eip155:1:${checksummed}`])
})

test.each<[what: string, message: (signed: (by: string) => string) => string]>([
  ['a different account', (signed) => signed('0x2222222222222222222222222222222222222222')],
  ['a different domain', (signed) => signed(address).replace('shop.example', 'evil.example')],
  ['an extra line', (signed) => `${signed(address)}\n`],
  ['no content', () => ''],
])('a signed message with %s is not stored', async (_, message) => {
  const { login, authentication, signed } = await loginOn()
  const keeps = login?.keep({ address, message: message(signed), signature: '0xsigned' })
  await expect(keeps).rejects.toMatchObject({ code: 'sign-in/invalid' })
  expect(authentication.stored.size).toBe(0)
})
