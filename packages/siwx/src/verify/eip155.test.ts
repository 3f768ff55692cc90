import { toHex } from '@latchkey/protocol/bytes'
import type { AccountId } from '@latchkey/protocol/caip'
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { malleatedSignature } from '../testing/testSigner.ts'
import {
  type ContractCall,
  callThroughProxy,
  eip155Verifier,
  personalHash,
  signedByContract,
  signedByKey,
} from './eip155.ts'

const key = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const message = 'Grüße an alle,\nauch an dich'
const yes: ContractCall = async () => `0x1626BA7E${'0'.repeat(56)}`
const requests = { chain: 'eip155:1', address: other, hash: personalHash(message), signature: `0x${'ab'.repeat(65)}` }

test('a signature is valid only for its signer’s address, regardless of the address’s letter case and of whether v is 27/28 or 0/1', async () => {
  const signature = await key.signMessage({ message })
  const of = (address: string, signed = signature as string) => signedByKey({ address, message, signature: signed })
  expect([of(key.address), of(key.address.toLowerCase()), of(other)]).toEqual([true, true, false])
  // Some hardware wallets return v as 0 or 1 instead of 27 or 28.
  const last = signature.endsWith('1b') ? '00' : '01'
  expect(of(key.address, signature.slice(0, -2) + last)).toBe(true)
  for (const broken of ['', '0x', 'hello', signature.slice(0, -2), `${signature}00`, `0x${'00'.repeat(65)}`])
    expect(of(key.address, broken)).toBe(false)
  expect(signedByKey({ address: key.address, message: `${message}!`, signature })).toBe(false)
})

test('a contract’s signature is valid only if the contract returns a result that starts with 0x1626ba7e [R5.17]', async () => {
  expect(await signedByContract({ ...requests, call: yes })).toBe(true)
  for (const start of ['0x1626ba7e', '0x1626ba7e00', `0x1626ba7e${'f'.repeat(56)}`])
    expect(await signedByContract({ ...requests, call: async () => start })).toBe(true)
  for (const answer of [
    '',
    '0x',
    '0x1626ba',
    '0x1626ba7',
    `0x1626ba7f${'0'.repeat(56)}`,
    '1626ba7e',
    '0xffffffff',
    `0x${'0'.repeat(64)}`,
    `0x00${'1626ba7e'}`,
    ` 0x1626ba7e`,
    undefined,
    7,
    { result: '0x1626ba7e' },
  ])
    expect(await signedByContract({ ...requests, call: async () => answer })).toBe(false)
  expect(await signedByContract({ ...requests, call: async () => Promise.reject(new Error('no node')) })).toBe(false)
})

test('the contract is called with exactly the given hash and signature [R5.17, R7.9]', async () => {
  const call = vi.fn(yes)
  await signedByContract({ ...requests, call })
  const word = (value: string) => value.padStart(64, '0')
  const data = `0x1626ba7e${toHex(requests.hash).slice(2)}${word('40')}${word('41')}${'ab'.repeat(65)}${'00'.repeat(31)}`
  expect(call.mock.calls).toEqual([[{ chain: 'eip155:1', to: other, data }]])
})

test('an invalid CAIP-2 chain ID throws [R8.11]', async () => {
  const invalid = [
    '',
    'eip155',
    'eip155:',
    ':1',
    '1',
    'eip155:1:0x',
    'EIP155:1',
    ' eip155:1',
    'eip155:1 ',
    'eip155:1\n',
  ]
  // A namespace has 3 to 8 characters, and a reference has 1 to 32.
  const lengths = ['ei:1', 'namespace:1', `eip155:${'1'.repeat(33)}`]
  for (const chain of [...invalid, ...lengths, 'eip_155:1', 'eip155:1.0', 'eip155:ü'])
    await expect(signedByContract({ ...requests, chain, call: yes })).rejects.toThrow(
      'isValidEip1271Signature failed: chainId must be in CAIP-2 format',
    )
  const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  for (const chain of ['eip155:1', 'abc:1', 'cosmos:cosmoshub-4', 'abcdefgh:a_B-1', solana])
    expect(await signedByContract({ ...requests, chain, call: yes })).toBe(true)
})

test('the proxy receives a POST request with chainId and projectId in the query and an eth_call at the latest block [R7.9]', async () => {
  const seen: { url: URL; method: string | undefined; body: unknown }[] = []
  const call = callThroughProxy({
    base: 'https://connect.example/v1',
    projectId: 'shop',
    async fetch(url, init) {
      seen.push({ url: new URL(String(url)), method: init?.method, body: JSON.parse(String(init?.body)) })
      return Response.json({ id: 1, jsonrpc: '2.0', result: '0x1626ba7e' })
    },
  })
  expect(await signedByContract({ ...requests, call })).toBe(true)
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
  for (const answer of [{}, { error: { code: 3, message: 'reverted' } }, { data: '0x1626ba7e' }, { result: 7 }]) {
    const other = callThroughProxy({
      base: 'https://connect.example/v1/',
      projectId: 'shop',
      fetch: async (url) => {
        expect(new URL(String(url)).pathname).toBe('/v1/')
        return Response.json({ id: 1, jsonrpc: '2.0', ...answer })
      },
    })
    expect(await signedByContract({ ...requests, call: other })).toBe(false)
  }
  // The same `call` function supports every chain.
  seen.length = 0
  for (const chain of ['eip155:10', 'eip155:137', 'eip155:10'])
    expect(await signedByContract({ ...requests, chain, call })).toBe(true)
  expect(seen.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual(
    ['eip155:10', 'eip155:137', 'eip155:10'].map((chainId) => ({ chainId, projectId: 'shop' })),
  )
  const failing = callThroughProxy({ base: 'https://x.example', projectId: 'p', fetch: async () => new Response('no') })
  expect(await signedByContract({ ...requests, call: failing })).toBe(false)
})

const account = `eip155:1:${key.address}` as const
const magic = `0x1626ba7e${'0'.repeat(56)}`

test('an EOA signature is verified without a node, and must have 65 bytes and a low s; signedByKey has the same requirements', async () => {
  const call = vi.fn<ContractCall>(async () => magic)
  const signature = await key.signMessage({ message })
  const holds = (signed: string, by: AccountId = account): Promise<boolean> =>
    eip155Verifier({ call })({ account: by, message, signature: signed })
  expect(await holds(signature)).toBe(true)
  expect(call).not.toHaveBeenCalled()
  // Without a node, only EOA signatures can be verified.
  const alone = eip155Verifier()
  const twin = malleatedSignature('eip155', signature)
  const short = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
  for (const other of [twin, short, `${signature}00`, '0x'])
    expect([other, await alone({ account, message, signature: other })]).toEqual([other, false])
  expect(signedByKey({ address: key.address, message, signature: twin })).toBe(false)
  expect(await alone({ account: account.toLowerCase() as typeof account, message, signature })).toBe(true)
  for (const address of [key.address.slice(2), '0xab', `${key.address}00`])
    expect(await holds(signature, `eip155:1:${address}`)).toBe(false)
})

test.each<[lie: string, answer: unknown]>([
  ['nothing', '0x'],
  ['no result, because the call reverted', undefined],
  ['true', `0x${'0'.repeat(63)}1`],
  ['the magic value with padding on the wrong side', `0x${'0'.repeat(56)}1626ba7e`],
  ['the magic value without padding', '0x1626ba7e'],
  ['the magic value followed by the message hash', `0x1626ba7e${toHex(personalHash(message)).slice(2)}`],
  ['the magic value and another word', `${magic}${'0'.repeat(64)}`],
  ['the magic value of a different standard', `0x20c13b0b${'0'.repeat(56)}`],
  ['a string that is not hex', 'yes'],
  ['a value that is not a string', { result: magic }],
  ['megabytes', `0x1626ba7e${'0'.repeat(2_000_000)}`],
])(
  'the signature is rejected if the contract returns anything but the padded magic value: %s [R5.17]',
  async (_, answer) => {
    const verify = eip155Verifier({ call: async () => answer })
    expect(await verify({ account: `eip155:1:${other}`, message, signature: `0x${'ab'.repeat(65)}` })).toBe(false)
  },
)

test('a contract on the account’s chain verifies signatures of any length, and the verifier rejects if the node does not respond [R5.17]', async () => {
  const call = vi.fn<ContractCall>(async () => magic.toUpperCase().replace('0X', '0x'))
  const signed = { account: `eip155:10:${other}`, message } as const
  for (const signature of ['0x', `0x${'ab'.repeat(65)}`, `0x${'cd'.repeat(300)}`])
    expect(await eip155Verifier({ call })({ ...signed, signature })).toBe(true)
  expect(call.mock.calls.map(([params]) => [params.chain, params.to])).toEqual(Array(3).fill(['eip155:10', other]))
  const dead = eip155Verifier({ call: () => Promise.reject(new Error('no node')) })
  await expect(dead({ ...signed, signature: '0xab' })).rejects.toThrow('no node')
  // Invalid hex is rejected without a call.
  expect(await dead({ ...signed, signature: 'hello' })).toBe(false)
})

test('a signature from an undeployed contract is passed to the ERC-6492 verifier [R5.17]', async () => {
  const call = vi.fn<ContractCall>(async () => magic)
  const undeployed = vi.fn(async () => true)
  const signed = { account: `eip155:1:${other}`, message, signature: `0xabcd${'6492'.repeat(16)}` } as const
  expect(await eip155Verifier({ call })(signed)).toBe(false)
  expect(await eip155Verifier({ undeployed })(signed)).toBe(false)
  expect([call, undeployed].flatMap(({ mock }) => mock.calls)).toEqual([])
  expect(await eip155Verifier({ call, undeployed })(signed)).toBe(true)
})
