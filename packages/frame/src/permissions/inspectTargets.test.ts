import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { emptyUsage, type Grant, type GrantLimits } from './grant.ts'
import { areTargetsUnchanged, inspectTargets } from './inspectTargets.ts'

const account = '0xab5801a7d398351b8be11c439e05c5b3259aec9b'
const target = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const other = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const word = (value: bigint | string): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const erc165 = (id: Hex): string =>
  encodeFunctionData({ abi: parseAbi(['function supportsInterface(bytes4)']), args: [id] })

/** A contract's responses by calldata prefix. All other calls revert. */
interface Contract {
  readonly code?: Hex
  readonly storage?: Readonly<Record<string, Hex>>
  readonly answers?: Readonly<Record<string, Hex>>
}

function networkOf(contracts: Readonly<Record<string, Contract>>): ChainRpcClient {
  return (async (_chain: string, method: string, params: readonly unknown[]) => {
    const [first, second] = params
    if (method === 'eth_getCode') return contracts[String(first)]?.code ?? '0x'
    if (method === 'eth_getStorageAt') return contracts[String(first)]?.storage?.[String(second)] ?? word(0n)
    const { to, data } = first as { to: string; data: string }
    const found = Object.entries(contracts[to]?.answers ?? {}).find(([start]) => data.startsWith(start))
    if (found) return found[1]
    throw new Error('execution reverted')
  }) as ChainRpcClient
}

const sel = (signature: string): Hex => toFunctionSelector(signature)
const erc20: Contract = {
  code: '0x6001',
  answers: {
    [sel('decimals()')]: word(6n),
    [sel('symbol()')]: encodeAbiParameters([{ type: 'string' }], ['TUSD']),
    [sel('totalSupply()')]: word(21n),
    [sel('allowance(address,address)')]: word(0n),
    [sel('balanceOf(address)')]: word(0n),
  },
}
const erc721: Contract = {
  code: '0x6002',
  answers: {
    [erc165('0x01ffc9a7')]: word(1n),
    [erc165('0xffffffff')]: word(0n),
    [erc165('0x80ac58cd')]: word(1n),
    [erc165('0xd9b67a26')]: word(0n),
    [sel('balanceOf(address)')]: word(1n),
  },
}
const plain: Contract = { code: '0x6003' }

const limits = (permission: GrantLimits['permissions'][number]): GrantLimits => ({
  chain: 'eip155:1',
  account,
  expiry: 2_000,
  permissions: [{ kind: 'coin', most: 100n, start: 0, period: 100 }, permission],
  recipients: undefined,
  callsMost: undefined,
})
const token = limits({ kind: 'token', token: target, most: 1n, start: 0, period: 100 })
const contract = limits({ kind: 'contract', address: target, functions: [] })
const grantOf = (grantLimits: GrantLimits, codes: Grant['codes']): Grant => ({
  ...grantLimits,
  context: '0x01',
  userId: 'ada',
  origin: 'https://shop.example',
  tokens: {},
  codes,
  createdAt: 0,
  signedInAt: 0,
  revokedAt: undefined,
  spent: emptyUsage(grantLimits),
})
const call = (to: string | undefined, data: Hex = '0x12345678') => ({ to: to as Hex | undefined, value: 0n, data })

test('an allowance requires an ERC-20 token, not a contract that only responds like one', async () => {
  expect(await inspectTargets(networkOf({ [target]: erc20 }), token)).toEqual({})
  const lie = { ...erc20, answers: { ...erc20.answers, ...erc721.answers } }
  const oldItem = {
    code: '0x6004',
    answers: { [sel('balanceOf(address)')]: word(1n), [sel('totalSupply()')]: word(9n) },
  } as const
  for (const found of [erc721, lie, oldItem, plain, {}])
    await expect(inspectTargets(networkOf({ [target]: found }), token)).rejects.toThrow('is not an ERC-20 token')
})

test.each<readonly [what: string, contract: Contract]>([
  ['a token', erc20],
  ['an NFT collection', erc721],
  ['a contract with balances', { code: '0x60', answers: { [sel('balanceOf(address)')]: word(0n) } }],
  ['a multisig account that the account co-owns', { code: '0x60', answers: { [sel('isOwner(address)')]: word(1n) } }],
  ['a multisig account', { code: '0x60', answers: { [sel('getOwners()')]: word(0n) } }],
  ['a contract that the account owns', { code: '0x60', answers: { [sel('owner()')]: word(account) } }],
  ['a proxy that the account administers', { code: '0x60', answers: { [sel('admin()')]: word(account) } }],
  [
    'a contract in which the account has a role',
    { code: '0x60', answers: { [sel('hasRole(bytes32,address)')]: word(1n) } },
  ],
  ['a contract that responds to every call', { code: '0x60', answers: { '0x': word(1n) } }],
])('grants no permission for calls to %s', async (_, found) => {
  await expect(inspectTargets(networkOf({ [target]: found }), contract)).rejects.toThrow('holds or controls')
  const node = networkOf({ [target]: plain })
  const grant = grantOf(contract, await inspectTargets(node, contract))
  expect(await areTargetsUnchanged(node, grant, [call(target)])).toBe(true)
  expect(
    await areTargetsUnchanged(networkOf({ [target]: { ...found, code: plain.code! } }), grant, [call(target)]),
  ).toBe(false)
})

test('grants no permission if the node fails', async () => {
  const failing = (async () => {
    throw new Error('The network cannot be reached')
  }) as ChainRpcClient
  await expect(inspectTargets(failing, contract)).rejects.toThrow('cannot be reached')
  await expect(inspectTargets(networkOf({}), contract)).rejects.toThrow('there is no contract')
})

test('detects changed code at an address, even behind a proxy', async () => {
  const implementation = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
  const beacon = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
  const earlier = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'
  const proxy = { ...plain, storage: { [implementation]: word(1n) } }
  const hung = { ...plain, storage: { [beacon]: word(other) } }
  const beaconOf = (address: bigint): Contract => ({ answers: { [sel('implementation()')]: word(address) } })
  for (const [before, after] of [
    [{ [target]: plain }, { [target]: { code: '0x6099' } }],
    [{ [target]: plain }, { [target]: {} }],
    [{ [target]: proxy }, { [target]: { ...proxy, storage: { [implementation]: word(2n) } } }],
    [
      { [target]: { ...plain, storage: { [earlier]: word(1n) } } },
      { [target]: { ...plain, storage: { [earlier]: word(2n) } } },
    ],
    [
      { [target]: hung, [other]: beaconOf(1n) },
      { [target]: hung, [other]: beaconOf(2n) },
    ],
  ] as readonly (readonly [Record<string, Contract>, Record<string, Contract>])[]) {
    const grant = grantOf(contract, await inspectTargets(networkOf(before), contract))
    expect(await areTargetsUnchanged(networkOf(before), grant, [call(target)])).toBe(true)
    expect(await areTargetsUnchanged(networkOf(after), grant, [call(target)])).toBe(false)
  }
  // A grant stored without code hashes does not cover contract calls.
  expect(await areTargetsUnchanged(networkOf({ [target]: plain }), grantOf(contract, undefined), [call(target)])).toBe(
    false,
  )
})

test('a changed token, native currency sent to a contract, and deployments require approval', async () => {
  const grant = grantOf(token, {})
  expect(await areTargetsUnchanged(networkOf({ [target]: erc20 }), grant, [call(target), call(other, '0x')])).toBe(true)
  expect(await areTargetsUnchanged(networkOf({ [target]: erc721 }), grant, [call(target)])).toBe(false)
  expect(await areTargetsUnchanged(networkOf({ [other]: plain }), grant, [call(other, '0x')])).toBe(false)
  // An account with EIP-7702 code also runs its code when it receives native currency.
  expect(await areTargetsUnchanged(networkOf({ [other]: { code: '0xef0100aa' } }), grant, [call(other, '0x')])).toBe(
    false,
  )
  expect(await areTargetsUnchanged(networkOf({}), grant, [call(undefined)])).toBe(false)
})

test('a token permission does not affect calls to a contract that the same grant covers', async () => {
  const both = {
    ...contract,
    permissions: [...token.permissions, { kind: 'contract', address: other, functions: [] }],
  } as const
  const node = networkOf({ [target]: erc20, [other]: plain })
  const grant = grantOf(both, await inspectTargets(node, both))
  expect(await areTargetsUnchanged(node, grant, [call(target), call(other)])).toBe(true)
})

test('rejects an allowance that adds up to the total supply', async () => {
  const supplyOf = (supply: bigint): Contract => ({
    ...erc20,
    answers: { ...erc20.answers, [sel('totalSupply()')]: word(supply) },
  })
  // The allowance is one unit per period, for twenty periods.
  for (const supply of [0n, 1n, 20n])
    await expect(inspectTargets(networkOf({ [target]: supplyOf(supply) }), token)).rejects.toThrow(
      'counts as unlimited',
    )
  expect(await inspectTargets(networkOf({ [target]: supplyOf(21n) }), token)).toEqual({})
})
