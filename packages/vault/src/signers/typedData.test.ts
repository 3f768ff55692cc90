import { expect, test } from 'vitest'
import { KeyError } from '../errors.ts'
import { parseTypedData } from './typedData.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

/** Returns typed data with a single field, `value`, of the given type. */
function withValue(type: string, value: unknown) {
  return {
    types: { EIP712Domain: [], Mail: [{ name: 'value', type }] },
    primaryType: 'Mail',
    domain: {},
    message: value === undefined ? {} : { value },
  }
}

function withDomain(fields: readonly (readonly [name: string, type: string])[], domain: object) {
  return { ...withValue('bool', true), domain, types: { EIP712Domain: typed(fields), Mail: [boolField] } }
}

const boolField = { name: 'value', type: 'bool' }
const typed = (fields: readonly (readonly [name: string, type: string])[]) =>
  fields.map(([name, type]) => ({ name, type }))

/** Returns the detail in the error message, which is the path of the first invalid part, or `undefined` if the input is valid. */
function rejection(input: unknown): string | undefined {
  try {
    parseTypedData(input)
    return undefined
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    expect(error.code).toBe('sign/malformed')
    return /\(([^()]*)\)$/.exec(error.message)?.[1] ?? error.message
  }
}

const twoTo = (exponent: bigint): string => String(1n << exponent)

test.each<[type: string, value: unknown, parsed: unknown]>([
  ['string', '', ''],
  ['string', '0x', '0x'],
  ['bool', false, false],
  ['address', address, address],
  ['address', address.toLowerCase(), address],
  ['address', `0x${address.slice(2).toUpperCase()}`, address],
  ['address', `0x${'1'.repeat(40)}`, `0x${'1'.repeat(40)}`],
  ['bytes', '0x', '0x'],
  ['bytes', '0xAb01', '0xAb01'],
  ['bytes1', '0xff', '0xff'],
  ['bytes32', `0x${'0a'.repeat(32)}`, `0x${'0a'.repeat(32)}`],
  ['uint8', 0, 0n],
  ['uint8', 255, 255n],
  ['uint8', '255', 255n],
  ['uint8', '0xff', 255n],
  ['uint8', 255n, 255n],
  ['int8', -128, -128n],
  ['int8', '-128', -128n],
  ['int8', 127, 127n],
  ['uint', Number.MAX_SAFE_INTEGER, BigInt(Number.MAX_SAFE_INTEGER)],
  ['uint', String((1n << 256n) - 1n), (1n << 256n) - 1n],
  ['uint256', `0x${'f'.repeat(64)}`, (1n << 256n) - 1n],
  ['int', `-${twoTo(255n)}`, -(1n << 255n)],
  ['uint16', 65_535, 65_535n],
  ['bool[]', [], []],
  ['bool[2]', [true, false], [true, false]],
  ['uint8[][1]', [[1, 2]], [[1n, 2n]]],
])('a field of type %s can be %o', (type, value, parsed) => {
  expect(parseTypedData(withValue(type, value)).message).toEqual({ value: parsed })
})

test.each<[type: string, value: unknown, at?: string]>([
  ['string', 1],
  ['string', undefined],
  ['bool', 'true'],
  ['bool', 0],
  ['address', `${address}00`],
  ['address', `00${address}`],
  ['address', address.slice(0, 41)],
  // This address has an invalid checksum.
  ['address', address.replace('dA', 'Da')],
  ['address', 5],
  ['bytes', '0xabc'],
  ['bytes', 'ab'],
  ['bytes', 'x0xab'],
  ['bytes', '0xgg'],
  ['bytes', ['0xab']],
  ['bytes1', '0x'],
  ['bytes1', '0xabcd'],
  ['bytes32', `0x${'0a'.repeat(31)}`],
  ['uint8', 256],
  ['uint8', -1],
  ['uint8', '256'],
  ['int8', 128],
  ['int8', -129],
  ['uint', twoTo(256n)],
  ['uint', 2 ** 53],
  ['uint', 1.5],
  ['uint', '1.5'],
  ['uint', ' 1'],
  ['uint', '1 '],
  ['uint', '0x'],
  ['uint', ''],
  ['uint', true],
  ['uint', ['1']],
  ['int', twoTo(255n)],
  ['bool[2]', [true], 'message.value'],
  ['bool[2]', [true, true, true], 'message.value'],
  ['bool[]', true, 'message.value'],
  ['bool[]', [true, 1], 'message.value.1'],
])('a field of type %s cannot be %o', (type, value, at = 'message.value') => {
  expect(rejection(withValue(type, value))).toBe(at)
})

test.each([
  'bytes0',
  'bytes33',
  'bytes01x',
  'uint7',
  'uint0',
  'uint264',
  'int12',
  'xbool',
  'boolx',
  'xuint8',
  'uint8x',
  'Undeclared',
  'Undeclared[]',
])('the type %s is not supported', (type) => {
  expect(rejection(withValue(type, 1))).toBe(`types.${type.replace('[]', '')}`)
})

test.each(['bytes8', 'bytes31', 'uint8', 'uint248', 'int256'])('the type %s is supported', (type) => {
  expect(rejection(withValue(type, 'no value of it'))).toBe('message.value')
})

test('every EIP-712 domain field is accepted as a number or a string, and is normalized', () => {
  const fields = [
    ['name', 'string'],
    ['version', 'string'],
    ['chainId', 'uint256'],
    ['verifyingContract', 'address'],
    ['salt', 'bytes32'],
  ] as const
  const salt = `0x${'ab'.repeat(32)}`
  const domain = { name: 'Shop', version: 2, chainId: '0x1', verifyingContract: address.toLowerCase(), salt }
  const parsed = parseTypedData(withDomain(fields, domain))
  expect(parsed.domain).toEqual({ name: 'Shop', version: '2', chainId: 1, verifyingContract: address, salt })
  expect(parsed.types.EIP712Domain).toEqual(typed(fields))
  expect(parseTypedData(withDomain([['chainId', 'uint256']], { chainId: '137' })).domain).toEqual({ chainId: 137 })
})

test.each<[what: string, fields: readonly (readonly [string, string])[], domain: object, at: string]>([
  ['a declared field that has no value', [['name', 'string']], {}, 'domain.name'],
  ['an unknown field', [['owner', 'string']], {}, 'domain.owner'],
  ['a field with the wrong type', [['chainId', 'uint8']], { chainId: 1 }, 'domain.chainId'],
  [
    'a duplicate field',
    [
      ['name', 'string'],
      ['name', 'string'],
    ],
    { name: 'Shop' },
    'domain',
  ],
  ['a negative chain ID', [['chainId', 'uint256']], { chainId: -1 }, 'domain.chainId'],
  ['a chain ID that is not a number', [['chainId', 'uint256']], { chainId: 'one' }, 'domain.chainId'],
  ['a chain ID that is too large', [['chainId', 'uint256']], { chainId: '0xffffffffffffffff' }, 'domain.chainId'],
  ['an invalid address', [['verifyingContract', 'address']], { verifyingContract: '0x1' }, 'domain.verifyingContract'],
  ['a short salt', [['salt', 'bytes32']], { salt: '0xab' }, 'domain.salt'],
  ['an undeclared extra value', [], { owner: 'x' }, 'domain.owner'],
])('a domain with %s is rejected', (_, fields, domain, at) => {
  expect(rejection(withDomain(fields, domain))).toBe(at)
})

test('a standard domain field that is not declared is omitted from the result', () => {
  expect(parseTypedData(withDomain([], { name: 'Shop' })).domain).toEqual({})
})

test('unused types and undeclared values are omitted from the result', () => {
  const data = {
    types: {
      EIP712Domain: [],
      Person: [{ name: 'wallet', type: 'address' }],
      Group: [
        { name: 'members', type: 'Person[]' },
        { name: 'lead', type: 'Person' },
      ],
      Unused: [boolField],
    },
    primaryType: 'Group',
    domain: {},
    message: { members: [{ wallet: address, hidden: 1 }], lead: { wallet: address }, hidden: true },
  }
  const parsed = parseTypedData(JSON.stringify(data))
  expect(Object.keys(parsed.types).sort()).toEqual(['EIP712Domain', 'Group', 'Person'])
  expect(parsed.message).toEqual({ members: [{ wallet: address }], lead: { wallet: address } })
  expect(parsed.primaryType).toBe('Group')
  const broken = { ...data, message: { ...data.message, lead: [] } }
  expect(rejection(broken)).toBe('message.lead')
  expect(rejection({ ...data, message: { ...data.message, lead: null } })).toBe('message.lead')
  expect(rejection({ ...data, message: { lead: data.message.lead } })).toBe('message.members')
})

test('types and values are never read from a prototype', () => {
  expect(rejection(withValue('toString', {}))).toBe('types.toString')
  const data = {
    ...withValue('bool', true),
    types: { EIP712Domain: [], Mail: [{ name: 'constructor', type: 'string' }] },
  }
  expect(rejection(data)).toBe('message.constructor')
})

test('a type that declares a field twice is rejected', () => {
  const data = { ...withValue('bool', true), types: { EIP712Domain: [], Mail: [boolField, boolField] } }
  expect(rejection(data)).toBe('types.Mail')
})

test('nested lists are accepted up to a depth of 40', () => {
  const nested = (depth: number): object => (depth === 0 ? { next: [] } : { next: [nested(depth - 1)] })
  const data = (depth: number) => ({
    types: { EIP712Domain: [], Node: [{ name: 'next', type: 'Node[]' }] },
    primaryType: 'Node',
    domain: {},
    message: nested(depth),
  })
  expect(rejection(data(40))).toBeUndefined()
  expect(rejection(data(41))).toBe(`message${'.next.0'.repeat(41)}`)
})

test.each<[what: string, input: unknown, at: string]>([
  ['text that is not JSON', '{', 'not JSON'],
  ['text that is too long', ' '.repeat(131_073), 'too large'],
  ['null', null, 'typed data'],
  ['a missing domain', { ...withValue('bool', true), domain: undefined }, 'domain'],
  [
    'the domain as the message',
    { ...withValue('bool', true), primaryType: 'EIP712Domain', message: {} },
    'primaryType',
  ],
  ['a missing domain type', { ...withValue('bool', true), types: { Mail: [boolField] } }, 'types.EIP712Domain'],
  [
    'a field with an invalid name',
    { ...withValue('bool', true), types: { EIP712Domain: [], Mail: [{ name: 'a b', type: 'bool' }] } },
    'types.Mail.0.name',
  ],
  ['an undeclared message type', { ...withValue('bool', true), primaryType: 'Other' }, 'types.Other'],
])('typed data is rejected: %s', (_, input, at) => {
  expect(rejection(input)).toBe(at)
})

test('text of the maximum length is accepted', () => {
  const text = JSON.stringify(withValue('bool', true))
  expect(rejection(text + ' '.repeat(131_072 - text.length))).toBeUndefined()
})
