// Checks that the samples are consistent and match their ABIs. `decoding.test.ts` runs them through the decoder.

import {
  type AbiFunction,
  decodeFunctionData,
  encodeFunctionData,
  hashTypedData,
  isAddress,
  keccak256,
  parseAbiItem,
  type TypedDataDefinition,
  toBytes,
  toFunctionSelector,
} from 'viem'
import { expect, test } from 'vitest'
import { transactionSamples } from './transactions.ts'
import { typedDataSamples } from './typedData.ts'

const samples = [...transactionSamples, ...typedDataSamples]

/** Converts typed data to the JSON form in which it is received, where members without a value are absent. */
const sent = (typedData: object) => JSON.parse(JSON.stringify(typedData)) as TypedDataDefinition

test('there are at least 200 samples, at least 60 of which are adversarial', () => {
  const ids = samples.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(samples.length).toBeGreaterThanOrEqual(200)
  expect(samples.filter(({ adversarial }) => adversarial).length).toBeGreaterThanOrEqual(60)
})

test('at most 15% of the samples are allowed to be unknown', () => {
  const open = samples.filter(({ expect: { canBeUnknown } }) => canBeUnknown)
  expect(open.length / samples.length).toBeLessThanOrEqual(0.15)
})

test.each(samples.map((sample) => [sample.id, sample] as const))('%s is consistent', (_id, sample) => {
  const { effects, never = [], refused, canBeUnknown } = sample.expect
  expect(sample.source).not.toBe('')
  for (const effect of effects) {
    expect(never).not.toContain(effect.kind)
    if (effect.kind === 'unknown') expect(canBeUnknown || refused).toBe(true)
  }
  for (const address of Object.keys(sample.contracts)) {
    expect(address).toBe(address.toLowerCase())
    expect(isAddress(address)).toBe(true)
  }
})

test.each(transactionSamples.map((sample) => [sample.id, sample] as const))('%s matches its ABI', (_id, sample) => {
  const { effects, changes, changesUnknown, value } = sample.expect
  expect(effects).toHaveLength(sample.calls.length)
  expect(changes !== undefined || changesUnknown === true).toBe(typeof sample.simulation !== 'string')
  const otherCalls = sample.calls.filter((_, at) => effects[at]?.kind !== 'sendCoin')
  expect(value ?? 0n).toBe(otherCalls.reduce((sum, call) => sum + call.value, 0n))
  for (const { signature, data } of sample.calls) {
    if (signature === undefined) continue
    const item = parseAbiItem(signature) as AbiFunction
    const { args } = decodeFunctionData({ abi: [item], data })
    expect(encodeFunctionData({ abi: [item], functionName: item.name, args })).toBe(data)
  }
})

test.each(typedDataSamples.filter(({ malformed }) => !malformed).map((sample) => [sample.id, sample] as const))(
  '%s can be hashed with EIP-712',
  (_id, { typedData, expect: { effects } }) => {
    expect(effects).toHaveLength(1)
    expect(hashTypedData(sent(typedData))).toMatch(/^0x[0-9a-f]{64}$/)
  },
)

test.each(typedDataSamples.filter(({ malformed }) => malformed).map((sample) => [sample.id, sample] as const))(
  '%s is malformed and must be refused',
  (_id, sample) => {
    expect(sample.expect.refused).toBe(true)
    expect(sample.adversarial ?? sample.malformed).toBeTruthy()
  },
)

// Compare with the published type hashes to find typos in the samples' type strings.
test.each([
  ['permit-finite-deadline-next-month', '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9'],
  ['dai-permit-allowed-expiry-zero', '0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb'],
  ['eip3009-transfer', '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267'],
  ['permit2-single-finite-expires-next-month', '0xf3841cd1ff0085026a6327b620b67997ce40f282c88a8e905a7a5626e310f3d0'],
  ['permit2-batch-two', '0xaf1b0d30d2cab0380e68f0689007e3254993c596f2fdd0aaa7f4d04f79440863'],
  ['permit2-transfer', '0x939c21a48a8dbe3a9a2404a1d46691e4d39f6583d6ec6b35714604c986d80106'],
  ['permit2-batch-transfer', '0xfcf35f5ac6a2c28868dc44c302166470266239195f02b0ee408334829333b766'],
  ['seaport-1.6-listing', '0xfa445660b7e21515a59617fcd68910b487aa5808b8abda3d78bc85df364b2c2f'],
  ['safe-transaction', '0xbb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8'],
])('%s has the type hash published by its contract', (id, published) => {
  const sample = typedDataSamples.find((item) => item.id === id)
  expect(sample && typeHash(sent(sample.typedData))).toBe(published)
})

test.each([
  ['transfer(address,uint256)', 'many_msg_babbage(bytes1)'],
  ['transferFrom(address,address,uint256)', 'gasprice_bit_ether(int128)'],
  ['approve(address,uint256)', 'sign_szabo_bytecode(bytes16,uint128)'],
])('%s has the same selector as %s, as the samples assume', (standard, harmless) => {
  expect(toFunctionSelector(harmless)).toBe(toFunctionSelector(standard))
})

/** Returns the type hash, as specified in EIP-712, "Definition of typeHash". */
function typeHash({ types, primaryType }: TypedDataDefinition): string {
  const found = new Set<string>()
  const collect = (type: string): void => {
    if (!(type in types) || found.has(type)) return
    found.add(type)
    for (const member of types[type] ?? []) collect(member.type.replace(/(\[\d*\])+$/, ''))
  }
  collect(primaryType)
  found.delete(primaryType)
  const encoded = [primaryType, ...[...found].sort()].map(
    (type) => `${type}(${(types[type] ?? []).map((member) => `${member.type} ${member.name}`).join(',')})`,
  )
  return keccak256(toBytes(encoded.join('')))
}
