import { privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { type Cacao, checkRecap, messageOf, readRecap, recapOf, writeRecap } from './cacao.ts'
import { type VerifyCacaoParameters, verifyCacao } from './verifyCacao.ts'

const key = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const stranger = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const recap = recapOf(['personal_sign'], ['eip155:1'])
const payload = {
  chains: ['eip155:1', 'eip155:137'],
  domain: 'shop.example',
  aud: 'https://shop.example/basket',
  nonce: 'f00dcafe00112233',
  iat: '2026-11-01T12:00:00.000Z',
  exp: '2026-11-01T13:00:00.000Z',
  statement: 'I like apples.',
  resources: ['https://shop.example/terms', recap],
}
const now = Date.parse('2026-11-01T12:10:00.000Z')

/** Returns a CACAO with the given changes, signed by `by`. */
async function signed(
  change: Partial<Cacao['p']> & { readonly drop?: keyof Cacao['p'] } = {},
  { by = key, type = 'eip191' }: { by?: typeof key; type?: string } = {},
): Promise<Cacao> {
  const { chains, ...rest } = payload
  const { drop, ...more } = change
  const p = { ...rest, version: '1', iss: `did:pkh:${chains[0]}:${key.address}`, ...more }
  if (drop) delete (p as Partial<typeof p>)[drop as keyof typeof p]
  const s = await by.signMessage({ message: messageOf(p, p.iss) })
  return { h: { t: 'caip122' }, p, s: { t: type as 'eip191', s } }
}

const verdict = async (cacao: Cacao | Promise<Cacao>, more: Partial<VerifyCacaoParameters> = {}) =>
  verifyCacao({ cacao: await cacao, payload, now, ...more })

test('a CACAO that matches the request and is signed by its account is valid', async () => {
  expect(await verdict(signed())).toMatchObject({ valid: true, account: `eip155:1:${key.address}` })
  expect(await verdict(signed({ iss: `did:pkh:eip155:137:${key.address.toLowerCase()}` }))).toMatchObject({
    valid: true,
    account: `eip155:137:${key.address.toLowerCase()}`,
  })
})

test('a CACAO without a ReCap is valid if the requested payload has no ReCap', async () => {
  const { resources } = payload
  expect(
    await verdict(signed({ resources: resources.slice(0, 1) }), {
      payload: { ...payload, resources: resources.slice(0, 1) },
    }),
  ).toMatchObject({ valid: true })
})

test('the statement must start with the requested one, after which a wallet can add the statement of its ReCap', async () => {
  const answerTo = async (statement: string) => verdict(signed({ statement }))
  expect(await answerTo('I like apples. I further authorize the stated URI to perform …')).toMatchObject({
    valid: true,
  })
  expect(await answerTo('Never say: I like apples.')).toEqual({ valid: false, fault: 'statement' })
})

test('the signed message contains the requested statement and the sentence of the ReCap', () => {
  const iss = `did:pkh:eip155:1:${key.address}`
  const { chains: _, ...fields } = payload
  const sentence = 'I further authorize the stated URI to perform the following actions on my behalf: '
  const both = messageOf({ ...fields, version: '1' }, iss)
  expect(both).toContain(`\n\nI like apples. ${sentence}(1) `)
  expect(messageOf({ ...fields, version: '1', statement: undefined as never }, iss)).toContain(`\n\n${sentence}(1) `)
})

test('if no statement was requested, the CACAO can only have the statement of its ReCap', async () => {
  const { statement: _, ...silent } = payload
  const answerTo = async (change: Parameters<typeof signed>[0]) => verdict(signed(change), { payload: silent })
  expect(await answerTo({ drop: 'statement' })).toMatchObject({ valid: true })
  expect(await answerTo({ statement: 'I further authorize the stated URI to perform …' })).toMatchObject({
    valid: true,
  })
  for (const statement of ['I give all apples away.', 'I give all apples away. I further authorize'])
    expect(await answerTo({ statement })).toEqual({ valid: false, fault: 'statement' })
})

test.each<[string, Partial<Cacao['p']> & { readonly drop?: keyof Cacao['p'] }]>([
  ['domain', { domain: 'shop.example.evil.example' }],
  ['uri', { aud: 'https://evil.example/' }],
  ['version', { version: '2' }],
  ['nonce', { nonce: 'of-last-year' }],
  ['chain', { iss: `did:pkh:eip155:10:${key.address}` }],
  ['statement', { statement: 'I give all apples away.' }],
  ['statement', { drop: 'statement' }],
  ['resources', { resources: [recap] }],
  ['times', { exp: '2027-11-01T13:00:00.000Z' }],
  ['times', { drop: 'exp' }],
  ['times', { nbf: '2026-11-02T12:00:00.000Z' }],
  ['times', { iat: 'yesterday' }],
  ['signature', { iss: `did:pkh:eip155:1:${stranger.address}` }],
])('a CACAO that does not match the request or its signer is invalid with the fault "%s"', async (fault, change) => {
  expect(await verdict(signed(change))).toEqual({ valid: false, fault })
})

test('a CACAO that is signed by a different account, was modified or has expired is invalid', async () => {
  expect(await verdict(signed({}, { by: stranger }))).toEqual({ valid: false, fault: 'signature' })
  const cacao = await signed()
  const changed = { ...cacao, p: { ...cacao.p, requestId: 'another' } }
  expect(await verdict(changed)).toEqual({ valid: false, fault: 'signature' })
  expect(await verdict(cacao, { now: Date.parse(payload.exp) })).toEqual({ valid: false, fault: 'times' })
})

test('a contract signature is verified on its chain, and is invalid if there is no node [R5.17]', async () => {
  const call = vi.fn(async () => '0x1626ba7e00')
  const cacao = signed({}, { by: stranger, type: 'eip1271' })
  expect(await verdict(cacao, { call })).toMatchObject({ valid: true, account: `eip155:1:${key.address}` })
  expect(call.mock.calls).toMatchObject([[{ chain: 'eip155:1', to: key.address }]])
  expect(await verdict(cacao, { call: async () => '0xffffffff' })).toEqual({ valid: false, fault: 'signature' })
  expect(await verdict(cacao)).toEqual({ valid: false, fault: 'no-node' })
})

test('a signature from an undeployed contract is valid only if a verifier for such contracts accepts it', async () => {
  const valid = await signed({}, { by: stranger, type: 'eip1271' })
  const cacao = { ...valid, s: { ...valid.s, s: `0xab${'6492'.repeat(16)}` } }
  const call = vi.fn(async () => '0x')
  const undeployed = vi.fn(async () => true)
  expect(await verdict(cacao, { call, undeployed })).toMatchObject({ valid: true, account: `eip155:1:${key.address}` })
  expect(undeployed.mock.calls).toMatchObject([
    [{ chain: 'eip155:1', address: key.address, signature: cacao.s.s, call }],
  ])
  expect(call).not.toHaveBeenCalled()
  const no = { valid: false, fault: 'signature' }
  expect(await verdict(cacao, { call, undeployed: async () => false })).toEqual(no)
  expect(await verdict(cacao, { call, undeployed: () => Promise.reject(new Error('no node')) })).toEqual(no)
  expect(await verdict(cacao, { call })).toEqual(no)
  expect(await verdict(valid, { call, undeployed })).toEqual(no)
})

test('verifyCacao() rejects if the signature type is unknown [R8.11]', async () => {
  for (const type of ['foo', '', 'eip6492', 'EIP191', 'eip1271 '])
    await expect(verdict(signed({}, { type }), { call: async () => '0x1626ba7e' })).rejects.toThrow(
      'verifySignature failed: Attempted to verify CacaoSignature with unknown type',
    )
  // The error is the same if the CACAO has another fault.
  await expect(verdict(signed({ nonce: 'of-last-year' }, { type: 'foo' }))).rejects.toMatchObject({
    code: 'cacao/unknown-type',
    details: { type: 'foo' },
  })
})

test('a ReCap is the last resource, and contains JSON with an att property in base64 [R8.11]', () => {
  expect(recap).toMatch(/^urn:recap:[A-Za-z0-9+/]+$/)
  expect(readRecap(['https://shop.example/terms', recap])).toEqual({
    att: { eip155: { 'request/personal_sign': [{ chains: ['eip155:1'] }] } },
  })
  expect(readRecap([recap, 'https://shop.example/terms'])).toBeUndefined()
})

test.each([
  [undefined, 'No recap provided'],
  [null, 'No recap provided'],
  ['all', 'No recap provided'],
  [7, 'No recap provided'],
  [{}, 'No `att` property found'],
  [[], 'No `att` property found'],
  [{ att: null }, 'No `att` property found'],
  [{ att: 'all' }, 'No `att` property found'],
  [{ att: { eip155: { 'request/personal_sign': [{}] }, solana: [] } }, 'Resource must be an object'],
  [{ att: { eip155: 7 } }, 'Resource must be an object'],
  [{ att: { eip155: [] } }, 'Resource must be an object'],
  [{ att: { eip155: 'all' } }, 'Resource must be an object'],
  [{ att: { eip155: null } }, 'Resource must be an object'],
  [{ att: { eip155: {} } }, 'Abilities must be lists of objects'],
  [{ att: { eip155: { 'request/eth_sign': {} } } }, 'Abilities must be lists of objects'],
])('the ReCap %j is rejected with "%s" [R8.11]', (value, text) => {
  expect(() => checkRecap(value)).toThrow(text)
  expect(() => writeRecap(value as never)).toThrow(text)
  if (value !== undefined) expect(() => readRecap([`urn:recap:${btoa(JSON.stringify(value))}`])).toThrow(text)
})

test('a ReCap that cannot be decoded is rejected as missing [R8.11]', () => {
  for (const text of ['urn:recap:', 'urn:recap:*', `urn:recap:${btoa('{')}`])
    expect(() => readRecap([text])).toThrow('No recap provided')
})
