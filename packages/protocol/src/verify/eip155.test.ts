import { privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { toHex } from '../bytes.ts'
import { type ContractCall, callThroughProxy, personalHash, signedByContract, signedByKey } from './eip155.ts'

const key = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const message = 'Grüße an alle,\nauch an dich'
const yes: ContractCall = async () => `0x1626BA7E${'0'.repeat(56)}`
const asked = { chain: 'eip155:1', address: other, hash: personalHash(message), signature: `0x${'ab'.repeat(65)}` }

test('a signature is of the key that made it, in whatever case and with whichever recovery byte, and of no other', async () => {
  const signature = await key.signMessage({ message })
  const of = (address: string, signed = signature as string) => signedByKey({ address, message, signature: signed })
  expect([of(key.address), of(key.address.toLowerCase()), of(other)]).toEqual([true, true, false])
  // A hardware wallet counts from 0.
  const last = signature.endsWith('1b') ? '00' : '01'
  expect(of(key.address, signature.slice(0, -2) + last)).toBe(true)
  for (const broken of ['', '0x', 'hello', signature.slice(0, -2), `${signature}00`, `0x${'00'.repeat(65)}`])
    expect(of(key.address, broken)).toBe(false)
  expect(signedByKey({ address: key.address, message: `${message}!`, signature })).toBe(false)
})

test('a contract signed it only if its answer begins with 0x1626ba7e [R5.17]', async () => {
  expect(await signedByContract({ ...asked, call: yes })).toBe(true)
  for (const answer of [
    '0x',
    '0xffffffff',
    `0x${'0'.repeat(64)}`,
    `0x00${'1626ba7e'}`,
    undefined,
    7,
    { result: '0x1626ba7e' },
  ])
    expect(await signedByContract({ ...asked, call: async () => answer })).toBe(false)
  expect(await signedByContract({ ...asked, call: async () => Promise.reject(new Error('no node')) })).toBe(false)
})

test('the contract is asked about exactly this hash and signature [R5.17, R7.9]', async () => {
  const call = vi.fn(yes)
  await signedByContract({ ...asked, call })
  const word = (value: string) => value.padStart(64, '0')
  const data = `0x1626ba7e${toHex(asked.hash).slice(2)}${word('40')}${word('41')}${'ab'.repeat(65)}${'00'.repeat(31)}`
  expect(call.mock.calls).toEqual([[{ chain: 'eip155:1', to: other, data }]])
})

test('a chain that is no CAIP-2 id is said to be none [R8.11]', async () => {
  for (const chain of ['eip155', 'eip155:', '1', 'eip155:1:0x'])
    await expect(signedByContract({ ...asked, chain, call: yes })).rejects.toThrow(
      'isValidEip1271Signature failed: chainId must be in CAIP-2 format',
    )
})

test('the check goes to the proxy of the server: POST, chain and project in the query, eth_call at the latest block [R7.9]', async () => {
  const seen: { url: URL; method: string | undefined; body: unknown }[] = []
  const call = callThroughProxy({
    base: 'https://connect.example/v1',
    projectId: 'shop',
    async fetch(url, init) {
      seen.push({ url: new URL(String(url)), method: init?.method, body: JSON.parse(String(init?.body)) })
      return Response.json({ id: 1, jsonrpc: '2.0', result: '0x1626ba7e' })
    },
  })
  expect(await signedByContract({ ...asked, call })).toBe(true)
  const [{ url, method, body } = { url: new URL('x:'), method: '', body: undefined }] = seen
  expect([url.origin + url.pathname, Object.fromEntries(url.searchParams), method]).toEqual([
    'https://connect.example/v1/',
    { chainId: 'eip155:1', projectId: 'shop' },
    'POST',
  ])
  expect(body).toEqual({
    id: expect.any(Number),
    jsonrpc: '2.0',
    method: 'eth_call',
    params: [{ to: other, data: expect.stringMatching(/^0x1626ba7e/) }, 'latest'],
  })
  const failing = callThroughProxy({ base: 'https://x.example', projectId: 'p', fetch: async () => new Response('no') })
  expect(await signedByContract({ ...asked, call: failing })).toBe(false)
})
