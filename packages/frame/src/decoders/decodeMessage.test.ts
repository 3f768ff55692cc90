import { toUtf8 } from '@latchkey/protocol/bytes'
import { addressOf } from '@latchkey/protocol/caip'
import { seededRandom } from '@latchkey/protocol/testing'
import { fixtureOf, signersOf, signInAttacks, validAttempt } from '@latchkey/siwx/testing/attacks'
import { expect, test } from 'vitest'
import { type DecodedMessage, decodeMessage } from './decodeMessage.ts'

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const origin = 'https://bakery.example'
const read = (text: string | Uint8Array): DecodedMessage =>
  decodeMessage(typeof text === 'string' ? toUtf8(text) : text, { origin, address })

const signIn = ({
  domain = 'bakery.example',
  who = address,
  statement = 'Good morning.\n',
  uri = 'https://bakery.example/login',
  nonce = 'abcdefgh12345678',
  end = '',
} = {}): string => `${domain} wants you to sign in with your Ethereum account:
${who}

${statement}
URI: ${uri}
Version: 1
Chain ID: 1
Nonce: ${nonce}
Issued At: 2026-11-20T17:00:00.000Z${end}`

test('distinguishes text from bytes', () => {
  expect(read('Hello\nworld 👋🏽')).toEqual({ kind: 'text', text: { untrusted: 'Hello\nworld 👋🏽' }, hidden: false })
  expect(read(new Uint8Array([1, 2, 255]))).toEqual({ kind: 'bytes', hex: { untrusted: '0x0102ff' }, hash: false })
  expect(read(new Uint8Array(32).fill(0xfe))).toMatchObject({ kind: 'bytes', hash: true })
  expect(read('beep\u0007')).toMatchObject({ kind: 'bytes' })
})

test('rejects 32 bytes that a smart account would accept as its owner’s approval', () => {
  const own = (bytes: Uint8Array) => decodeMessage(bytes, { origin, address, ownsContract: true })
  const refused = { kind: 'refused', because: 'own-account' }
  expect(own(new Uint8Array(32).fill(0xfe))).toMatchObject(refused)
  // A hash that is also valid text and was found by brute force.
  expect(own(toUtf8('k#9$~ab{c}d|e@f*g/h(i)j[k]l_m;n='))).toMatchObject(refused)
  expect(own(toUtf8('Log in with this number: 1234567'))).toMatchObject({ kind: 'text' })
  expect(own(new Uint8Array(31).fill(0xfe))).toMatchObject({ kind: 'bytes' })
  expect(own(new Uint8Array(33).fill(0xfe))).toMatchObject({ kind: 'bytes' })
})

test('reports invisible and reordering characters', () => {
  expect(read('pay \u202Eelpoep\u200b')).toMatchObject({ kind: 'text', hidden: true })
  expect(read('a lone \r end')).toMatchObject({ kind: 'text', hidden: true })
  expect(read('👨‍👩‍👧\r\n')).toMatchObject({ kind: 'text', hidden: false })
})

test('parses a sign-in message for this page', () => {
  const reading = read(
    signIn({ end: '\nExpiration Time: 2026-11-21T17:00:00Z\nResources:\n- https://a.example\n- ipfs://b' }),
  )
  expect(reading).toMatchObject({
    kind: 'signIn',
    signIn: {
      domain: 'bakery.example',
      statement: { untrusted: 'Good morning.' },
      chainId: '1',
      expiresAt: '2026-11-21T17:00:00Z',
      resources: [{ untrusted: 'https://a.example' }, { untrusted: 'ipfs://b' }],
    },
  })
  expect(read(signIn({ statement: '' }))).toMatchObject({ kind: 'signIn', signIn: { statement: undefined } })
})

test.each<[what: string, text: string, because: string]>([
  ['a different domain', signIn({ domain: 'evil.example' }), 'other-site'],
  ['a different port', signIn({ domain: 'bakery.example:8443' }), 'other-site'],
  ['a different URI', signIn({ uri: 'https://evil.example/login' }), 'other-site'],
  ['a domain that only starts with the right domain', signIn({ domain: 'bakery.example.evil.example' }), 'other-site'],
  ['a different account', signIn({ who: `0x${'1'.repeat(40)}` }), 'other-account'],
  ['a short nonce', signIn({ nonce: 'abc' }), 'malformed'],
  ['fields injected into the statement', signIn({ statement: 'Hi\n\nURI: https://bakery.example\n' }), 'malformed'],
  ['text before it', `Hello\n${signIn()}`, 'malformed'],
  ['text after it', `${signIn()}\nAnd all your bread`, 'malformed'],
  ['a no-break space in the first line', signIn().replace('wants you', 'wants\u00a0you'), 'malformed'],
  ['a zero-width character in the first line', signIn().replace('wants', 'wa\u200bnts'), 'malformed'],
  ['two spaces in the first line', signIn().replace('sign in', 'sign  in'), 'malformed'],
  ['a hidden character in the domain', signIn({ domain: 'bakery.exam\u200bple' }), 'malformed'],
])('refuses a sign-in message with %s', (_what, text, because) => {
  expect(read(text)).toMatchObject({ kind: 'refused', because })
})

test.each(['eip155', 'solana'] as const)(
  'parses %s messages from our SDK, and refuses them on a different site',
  (family) => {
    const seed = Date.now() % 2 ** 32
    const [random, signers] = [seededRandom(seed), signersOf()]
    const elsewhere = signInAttacks.filter(({ name }) => /^a different (domain|scheme)|look-alike|injected/.test(name))
    expect(elsewhere).toHaveLength(6)
    for (let round = 0; round < 200; round++) {
      const fixture = fixtureOf(random, family, signers)
      const reader = { origin: fixture.expected.origin, address: addressOf(fixture.expected.account) }
      const { message } = validAttempt(fixture)
      expect(decodeMessage(toUtf8(message), reader), `seed ${seed}: ${message}`).toMatchObject({ kind: 'signIn' })
      for (const { attempt } of elsewhere) {
        const response = attempt(fixture, random).message
        expect(decodeMessage(toUtf8(response), reader), `seed ${seed}: ${response}`).toMatchObject({ kind: 'refused' })
      }
    }
  },
)
