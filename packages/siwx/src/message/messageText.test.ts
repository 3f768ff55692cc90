import type { ChainId } from '@latchkey/protocol/caip'
import { namespaceOf, namespaces } from '@latchkey/protocol/caip'
import { seededRandom } from '@latchkey/protocol/testing'
import { describe, expect, test } from 'vitest'
import { anyFields } from '../testing/signInFields.ts'
import { type MessageForm, newNonce, readMessage, writeMessage } from './messageText.ts'
import type { SignInFields } from './signInTypes.ts'

const plain: SignInFields = {
  domain: 'shop.example',
  uri: 'https://shop.example/pay',
  version: '1',
  nonce: 'Tz8sK2mQ4vLp',
  chainId: 'eip155:1',
  accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  issuedAt: '2026-01-02T03:04:05.678Z',
}
const all: SignInFields = {
  ...plain,
  expirationTime: '2026-01-03T03:04:05Z',
  notBefore: '2026-01-02T03:04:05+01:00',
  requestId: 'request-1',
  statement: 'I agree to the terms: https://shop.example/terms?v=1#a',
  resources: ['https://shop.example/a', 'urn:recap:eyJhdHQiOnt9fQ=='],
}
const onSolana: SignInFields = {
  ...plain,
  chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  accountAddress: 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1',
}
const { issuedAt: _issuedAt, ...bare } = onSolana

test('a message contains every field in the order specified by EIP-4361 [R3.10]', () => {
  expect(writeMessage(all).split('\n')).toEqual([
    'shop.example wants you to sign in with your Ethereum account:',
    '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    '',
    'I agree to the terms: https://shop.example/terms?v=1#a',
    '',
    'URI: https://shop.example/pay',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: Tz8sK2mQ4vLp',
    'Issued At: 2026-01-02T03:04:05.678Z',
    'Expiration Time: 2026-01-03T03:04:05Z',
    'Not Before: 2026-01-02T03:04:05+01:00',
    'Request ID: request-1',
    'Resources:',
    '- https://shop.example/a',
    '- urn:recap:eyJhdHQiOnt9fQ==',
  ])
})

test('each field of a message is read from its own line [R3.10]', () => {
  const text = [
    'shop.example wants you to sign in with your Ethereum account:',
    '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    '',
    'Hello.',
    '',
    'URI: https://shop.example/pay',
    'Version: 1',
    'Chain ID: 137',
    'Nonce: Tz8sK2mQ4vLp',
    'Issued At: 2026-01-02T03:04:05.678Z',
    'Expiration Time: 2026-01-03T03:04:05Z',
    'Not Before: 2026-01-01T03:04:05Z',
    'Request ID: request-1',
    'Resources:',
    '- https://shop.example/a',
    '- https://shop.example/b',
  ].join('\n')
  expect(readMessage(text, 'eip155')).toEqual({
    domain: 'shop.example',
    accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    statement: 'Hello.',
    uri: 'https://shop.example/pay',
    version: '1',
    chainId: 'eip155:137',
    nonce: 'Tz8sK2mQ4vLp',
    issuedAt: '2026-01-02T03:04:05.678Z',
    expirationTime: '2026-01-03T03:04:05Z',
    notBefore: '2026-01-01T03:04:05Z',
    requestId: 'request-1',
    resources: ['https://shop.example/a', 'https://shop.example/b'],
  })
})

test.each(['domain', 'uri', 'version', 'nonce', 'chainId', 'accountAddress', 'issuedAt'] as const)(
  'writeMessage throws if %s is missing [R3.10]',
  (field) => {
    const { [field]: _, ...incomplete } = plain
    expect(() => writeMessage(incomplete as SignInFields)).toThrow(
      expect.objectContaining({ code: 'input/invalid', details: expect.objectContaining({ path: `signIn.${field}` }) }),
    )
  },
)

test.each(['URI', 'Version', 'Chain ID', 'Nonce'])(
  'readMessage returns undefined if the line "%s" is missing [R3.10]',
  (name) => {
    const text = writeMessage(all)
    const without = text.replace(new RegExp(`\n${name}: .*`), '')
    expect(without).not.toBe(text)
    expect(readMessage(without, 'eip155')).toBeUndefined()
  },
)

test('if there is no statement, the address is followed by two empty lines on EVM (EIP-4361) and by one elsewhere [R3.10]', () => {
  expect(writeMessage(plain).split('\n').slice(1, 5)).toEqual([plain.accountAddress, '', '', `URI: ${plain.uri}`])
  expect(writeMessage(onSolana).split('\n').slice(1, 4)).toEqual([onSolana.accountAddress, '', `URI: ${plain.uri}`])
  expect(writeMessage(plain, 'Ethereum', 'caip122').split('\n').slice(2, 4)).toEqual(['', `URI: ${plain.uri}`])
})

test('a statement is preceded and followed by one empty line [R3.10]', () => {
  const lines = writeMessage({ ...onSolana, statement: 'Hello.' }).split('\n')
  expect(lines.slice(2, 6)).toEqual(['', 'Hello.', '', `URI: ${plain.uri}`])
})

test('missing fields and empty resources are omitted, and the message does not end with a line break [R3.10]', () => {
  const text = writeMessage({ ...bare, resources: [] })
  expect(text).toMatch(/\nNonce: Tz8sK2mQ4vLp$/)
  expect(text).not.toMatch(/undefined|Issued|Expiration|Not Before|Request|Resources/)
})

test.each<[SignInFields, string | undefined, MessageForm | undefined, string, string]>([
  [plain, undefined, undefined, 'Ethereum', '1'],
  [plain, 'Polygon', undefined, 'Ethereum', '1'],
  [plain, 'Ethereum', 'caip122', 'Ethereum', 'eip155:1'],
  [{ ...plain, chainId: 'eip155:137' }, 'Polygon', 'caip122', 'Polygon', 'eip155:137'],
  [plain, 'Ethereum', 'caip122-reference', 'Ethereum', '1'],
  [onSolana, undefined, undefined, 'Solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  [onSolana, 'Solana Devnet', undefined, 'Solana Devnet', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  [onSolana, 'Сolana', undefined, 'Solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
])(
  '%# the first line contains the network’s name, and the format of the chain ID depends on the form [R3.10]',
  (fields, network, form, named, id) => {
    const text = writeMessage(fields, network, form)
    expect(text.split('\n')[0]).toBe(`shop.example wants you to sign in with your ${named} account:`)
    expect(text).toContain(`\nChain ID: ${id}\n`)
    expect(readMessage(text, namespaceOf(fields.chainId))).toEqual(fields)
  },
)

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 32)

describe.each(namespaces)(`%s, seed ${seed}`, (namespace) => {
  test('readMessage returns the written fields in every form, and never a chain from a different namespace [R3.10]', () => {
    const random = seededRandom(seed)
    for (let round = 0; round < 2_000; round++) {
      const fields = anyFields(random, namespace)
      const form = random.pick<MessageForm>(namespace === 'eip155' ? forms : forms.slice(1))
      const text = writeMessage(fields, random.pick([undefined, 'OP Mainnet', 'Base']), form)
      expect(readMessage(text, namespace), text).toEqual(fields)
      const other = random.pick(namespaces.filter((family) => family !== namespace))
      const elsewhere = readMessage(text, other)
      // The chain reference can be valid in a different namespace, but the address hardly ever is. If both are valid, the chain
      // belongs to that namespace.
      if (elsewhere) expect(namespaceOf(elsewhere.chainId)).toBe(other)
    }
  })

  test('changing any character of a message produces a different or invalid message', () => {
    const random = seededRandom(seed + 1)
    for (let round = 0; round < 1_000; round++) {
      const fields = anyFields(random, namespace)
      const text = writeMessage(fields)
      const at = random.int(text.length)
      const changed =
        text.slice(0, at) + random.pick(['\n', ' ', '\r', '', 'a', 'А', '0', ':']) + text.slice(at + random.int(2))
      if (changed === text) continue
      const read = readMessage(changed, namespace)
      // The network's name in the first line is not a field. An EIP-4361 message without one of its empty lines is a CAIP-122
      // message.
      if (at < text.indexOf('\n') || changed === writeMessage(fields, undefined, 'caip122-reference')) continue
      expect(read, changed).not.toEqual(fields)
    }
  })
})

const forms: readonly MessageForm[] = ['eip4361', 'caip122', 'caip122-reference']

const injected = '\nURI: https://evil.example'

test.each([31, 32, 44, 45])(
  'a sign-in on Solana requires an address of 32 to 44 base58 characters: %i [R5.6]',
  (length) => {
    const fields = { ...all, chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' } as SignInFields
    const write = (accountAddress: string) => writeMessage({ ...fields, accountAddress } as SignInFields)
    if (length >= 32 && length <= 44) expect(write('1'.repeat(length))).toContain(`\n${'1'.repeat(length)}\n`)
    else expect(() => write('1'.repeat(length))).toThrow(expect.objectContaining({ code: 'input/invalid' }))
    expect(() => write(`${'1'.repeat(39)}0`)).toThrow(expect.objectContaining({ code: 'input/invalid' }))
  },
)

test.each<[keyof SignInFields, string]>([
  ['domain', `shop.example${injected}`],
  ['domain', 'shop.example '],
  ['domain', 'shop.example wants you to sign in with your Ethereum account:\n0x'],
  ['domain', 'shop.example@evil.example'],
  ['domain', 'shоp.example'],
  ['domain', 'shop.example/'],
  ['domain', ''],
  ['scheme', 'https://'],
  ['scheme', ''],
  ['uri', 'shop.example'],
  ['uri', `https://shop.example${injected}`],
  ['uri', 'https://shop.example/a b'],
  ['uri', 'https://shop.example/%zz'],
  ['uri', 'https://shop.example/ü'],
  ['uri', 'https://[::1/'],
  ['version', '2'],
  ['version', '1\n'],
  ['nonce', 'short77'],
  ['nonce', 'has spaces in it'],
  ['nonce', `12345678${injected}`],
  ['nonce', '１２３４５６７８'],
  ['chainId', 'eip155:1\n'],
  ['chainId', 'eip155:one'],
  ['chainId', 'tezos:1'],
  ['chainId', '1'],
  ['accountAddress', `0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2${injected}`],
  ['accountAddress', 'C02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'],
  ['accountAddress', ''],
  ['statement', `Hello.${injected}`],
  ['statement', 'Hello.\r'],
  ['statement', 'Grüß Gott'],
  ['statement', 'a "word"'],
  ['statement', ''],
  ['issuedAt', 'yesterday'],
  ['issuedAt', '2026-02-30T00:00:00Z'],
  ['issuedAt', '2026-01-02 03:04:05Z'],
  ['issuedAt', '2026-01-02T03:04:05'],
  ['expirationTime', '2026-01-02T24:00:00Z'],
  ['expirationTime', `2026-01-02T03:04:05Z${injected}`],
  ['notBefore', '2026-01-02T03:04:05.Z'],
  ['requestId', 'a/b'],
  ['requestId', `a${injected}`],
])('writeMessage throws if %s is %j [R3.10]', (field, value) => {
  const write = () => writeMessage({ ...all, [field]: value } as SignInFields)
  expect(write).toThrow(
    expect.objectContaining({ code: 'input/invalid', details: expect.objectContaining({ path: `signIn.${field}` }) }),
  )
})

test('writeMessage throws if a resource URI is invalid, if the message is too long, or if an EIP-4361 message has no issue time or is for Solana', () => {
  const { issuedAt: _, ...timeless } = plain
  expect(() => writeMessage({ ...plain, resources: ['https://a.example', `b${injected}`] })).toThrow(/resources/)
  expect(() => writeMessage(timeless)).toThrow(/issuedAt/)
  expect(() => writeMessage(onSolana, undefined, 'eip4361')).toThrow(/form/)
  expect(() => writeMessage({ ...plain, statement: 'x'.repeat(20_000) })).toThrow(/message/)
})

test.each<[string, (text: string) => string]>([
  ['a line break at the end', (text) => `${text}\n`],
  ['a space at the end', (text) => `${text} `],
  ['Windows line breaks', (text) => text.replaceAll('\n', '\r\n')],
  ['a byte order mark', (text) => `\ufeff${text}`],
  ['a repeated field', (text) => text.replace('Nonce:', 'Nonce: 12345678\nNonce:')],
  ['a field after the resources', (text) => `${text}\nNonce: 12345678`],
  ['a lowercase field name', (text) => text.replace('Nonce:', 'nonce:')],
  ['two spaces', (text) => text.replace('Nonce: ', 'Nonce:  ')],
  ['a third empty line', (text) => text.replace('\n\nURI', '\n\n\nURI')],
  ['an empty list of resources', (text) => text.replace(/Resources:[\s\S]*/, 'Resources:')],
  ['a different kind of bullet', (text) => text.replace('\n- ', '\n* ')],
  ['a chain ID from a different namespace', (text) => text.replace('Chain ID: 1', 'Chain ID: solana:1')],
  [
    'a different network in the numeric form without a statement',
    (text) => text.replace(/Ethereum(.*\n.*\n\n).*\n/, 'Base$1'),
  ],
])('readMessage returns undefined for a message with %s', (_, change) => {
  const text = writeMessage(all)
  expect(change(text)).not.toBe(text)
  expect(readMessage(change(text), 'eip155')).toBeUndefined()
})

test('readMessage returns undefined for a message that is too long', () => {
  expect(readMessage(`${writeMessage(all)}\n- https://shop.example/${'a'.repeat(20_000)}`, 'eip155')).toBeUndefined()
})

test('the scheme before the domain is read and written, but is not part of the domain', () => {
  const text = writeMessage({ ...plain, scheme: 'https' })
  expect(text.startsWith('https://shop.example wants')).toBe(true)
  expect(readMessage(text, 'eip155')).toEqual({ ...plain, scheme: 'https' })
})

test('readMessage reads the published example of the Solana profile', () => {
  const text =
    'service.org wants you to sign in with your Solana account:\nGwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1\n\n' +
    'I accept the ServiceOrg Terms of Service: https://service.org/tos\n\nURI: https://service.org/login\nVersion: 1\nChain ID: 1\n' +
    'Nonce: 32891757\nIssued At: 2021-09-30T16:25:24.000Z\nResources:\n- ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu\n' +
    '- https://example.com/my-web2-claim.json'
  expect(readMessage(text, 'solana')).toMatchObject({ domain: 'service.org', chainId: 'solana:1' satisfies ChainId })
})

test('newNonce returns 24 uniformly distributed letters and digits', () => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 5_000; round++) {
    const nonce = newNonce()
    expect(nonce).toMatch(/^[A-Za-z0-9]{24}$/)
    for (const character of nonce) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  // Each of the 62 characters should occur about 1,935 times in 120,000, with a standard deviation of 44. With modulo bias, some
  // would occur 2,344 times.
  expect(counts.size).toBe(62)
  expect(Math.max(...counts.values())).toBeLessThan(2_200)
})
