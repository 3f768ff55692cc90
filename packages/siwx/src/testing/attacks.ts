import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import { addressOf, chainOf, namespaces } from '@latchkey/protocol/caip'
import { maxSignInLifeMs, signInNonceLifeMs, signInSkewMs } from '@latchkey/protocol/specificationConstants'
import type { SeededRandom } from '@latchkey/protocol/testing'
import { newNonce, writeMessage } from '../message/messageText.ts'
import type { SignInExpected, SignInFields, SignInRefusal } from '../message/signInTypes.ts'
import { anyStatement, anyUri, chainsOf } from './signInFields.ts'
import { malleatedSignature, signWith, type TestSigner } from './testSigner.ts'

/** Returns the test signer for a namespace and seed. */
export type SignInSigners = (namespace: Namespace, seed: number) => TestSigner

/** Creates the test signers. Each key and account is cached, because creating one takes longer than most attacks. */
export function signersOf(): SignInSigners {
  const made = new Map<string, TestSigner>()
  return (namespace, seed) => {
    const known = made.get(`${namespace} ${seed}`)
    if (known) return known
    const signer = signWith(namespace, seed)
    const accounts = new Map<ChainId, AccountId>()
    const remembering: TestSigner = {
      sign: (message) => signer.sign(message),
      account(chain) {
        const account = accounts.get(chain) ?? signer.account(chain)
        accounts.set(chain, account)
        return account
      },
    }
    made.set(`${namespace} ${seed}`, remembering)
    return remembering
  }
}

/** A valid sign-in from which attacks are derived. */
export interface SignInFixture {
  /** The namespace of the accounts (CAIP-2). */
  readonly namespace: Namespace
  /** Returns more signers, such as signers from other namespaces. */
  readonly signers: SignInSigners
  /** The signer of the valid message. */
  readonly owner: TestSigner
  /** The attacker's signer. */
  readonly other: TestSigner
  /** The fields of the valid message. */
  readonly fields: SignInFields
  /** The expected values, which match the valid message. */
  readonly expected: SignInExpected
}

/** A submitted sign-in. It is signed lazily, because most attempts are rejected before the signature is verified. */
export interface SignInAttempt {
  /** The submitted text. */
  readonly message: string
  /** Resolves to the submitted signature, which can be forged. */
  readonly signature: () => Promise<string>
  /** The values that the verifier expects. */
  readonly expected: SignInExpected
}

/** An attempt to sign in with a message or signature that must be rejected. */
export interface SignInAttack {
  /** A short description of the attack, for test titles. */
  readonly name: string
  /** The acceptable reasons for rejecting the attempt. */
  readonly refusals: readonly SignInRefusal[]
  /**
   * What makes the attempt invalid. `expected` means that the message and its signature are valid, but do not match the expected
   * values, such as the origin, the nonce, the account or the current time.
   */
  readonly at: 'message' | 'signature' | 'expected'
  /** Derives the attempt from a valid sign-in. `random` makes the random choices reproducible. */
  readonly attempt: (fixture: SignInFixture, random: SeededRandom) => SignInAttempt
}

/** Creates a valid sign-in. `input` overrides its origin, nonce and time. */
export function fixtureOf(
  random: SeededRandom,
  namespace: Namespace,
  signers: SignInSigners,
  input: Partial<Pick<SignInExpected, 'origin' | 'nonce' | 'now'>> = {},
): SignInFixture {
  const seed = random.int(4)
  const [owner, other] = [signers(namespace, seed), signers(namespace, seed + 100)]
  const account = owner.account(random.pick(chainsOf(namespace)))
  const {
    origin = random.pick(origins),
    nonce = newNonce(),
    now = 1_700_000_000_000 + random.int(1_000_000_000),
  } = input
  const issued = now - random.int(signInNonceLifeMs - 60_000)
  const maybe = <T extends object>(some: T): T | object => (random.int(2) ? some : {})
  const { host, protocol } = new URL(origin)
  const fields: SignInFields = {
    ...maybe({ scheme: protocol.slice(0, -1) }),
    domain: host,
    uri: origin + random.pick(['', '/', '/pay?a=1#b', '?a', '#b']),
    version: '1',
    nonce,
    chainId: chainOf(account),
    accountAddress: addressOf(account),
    issuedAt: iso(issued),
    expirationTime: iso(now + 60_000 + random.int(maxSignInLifeMs - 60_000)),
    ...maybe({ notBefore: iso(issued) }),
    ...maybe({ requestId: random.word(1, 20) }),
    ...maybe({ statement: anyStatement(random) }),
    ...maybe({ resources: [anyUri(random, host), anyUri(random, 'other.example')] }),
  }
  return { namespace, signers, owner, other, fields, expected: { origin, nonce, account, now } }
}

const origins = [
  'https://shop.example',
  'https://shop.example:8443',
  'http://localhost:3000',
  'https://xn--bcher-kva.example',
  'https://a.b.shop.example',
]

/** Returns an attempt with the valid message, signed by the owner. */
export function validAttempt(fixture: SignInFixture): SignInAttempt {
  return signed(fixture, writeMessage(fixture.fields))
}

function signed(fixture: SignInFixture, message: string, by: TestSigner = fixture.owner): SignInAttempt {
  return { message, signature: () => by.sign(message), expected: fixture.expected }
}

const iso = (moment: number): string => new Date(moment).toISOString()

/** Replaces the value in the line with this name. */
function replaceLine(lines: string, name: string, value: string): string {
  return lines.replace(new RegExp(`^${name}: .*$`, 'm'), () => `${name}: ${value}`)
}

type Change = (fixture: SignInFixture, random: SeededRandom) => Partial<SignInFields>
type Rewrite = (text: string, fixture: SignInFixture, random: SeededRandom) => string

/** Creates an attack in which the owner signed a well-formed message with unexpected values. */
function fieldAttack(name: string, refusal: SignInRefusal, change: Change): SignInAttack {
  const attempt: SignInAttack['attempt'] = (fixture, random) =>
    signed(fixture, writeMessage({ ...fixture.fields, ...change(fixture, random) }))
  return { name, refusals: [refusal], at: 'message', attempt }
}

/** Creates an attack in which the owner signed text that does not conform to the standards. */
function textAttack(name: string, rewrite: Rewrite, refusals: readonly SignInRefusal[] = ['unreadable']): SignInAttack {
  const attempt: SignInAttack['attempt'] = (fixture, random) =>
    signed(fixture, rewrite(writeMessage(fixture.fields), fixture, random))
  return { name, refusals, at: 'message', attempt }
}

/**
 * Like `textAttack`, but changes only the lines from the URI on, because earlier lines such as the statement can look like them.
 */
function bodyAttack(name: string, rewrite: Rewrite, refusals?: readonly SignInRefusal[]): SignInAttack {
  const whole: Rewrite = (text, fixture, random) => {
    const at = text.indexOf(`\nURI: ${fixture.fields.uri}\nVersion: `) + 1
    return text.slice(0, at) + rewrite(text.slice(at), fixture, random)
  }
  return textAttack(name, whole, refusals)
}

/** Creates an attack that submits a valid message where different values are expected. */
function expectationAttack(
  name: string,
  refusals: readonly SignInRefusal[],
  change: (fixture: SignInFixture, random: SeededRandom) => Partial<SignInExpected>,
): SignInAttack {
  const attempt: SignInAttack['attempt'] = (fixture, random) => ({
    ...validAttempt(fixture),
    expected: { ...fixture.expected, ...change(fixture, random) },
  })
  return { name, refusals, at: 'expected', attempt }
}

/** Creates an attack that submits a valid message with a wrong signature. */
function signatureAttack(
  name: string,
  signature: (fixture: SignInFixture, message: string, random: SeededRandom) => Promise<string>,
): SignInAttack {
  const attempt: SignInAttack['attempt'] = (fixture, random) => {
    const { message, expected } = validAttempt(fixture)
    return { message, expected, signature: () => signature(fixture, message, random) }
  }
  return { name, refusals: ['signature'], at: 'signature', attempt }
}

/** Returns a random host other than `host`. Most of these hosts resemble `host` or contain parts of it. */
function similarHost(random: SeededRandom, host: string): string {
  const [name = '', port] = host.split(':')
  const withPort = (other: string): string => (port ? `${other}:${port}` : other)
  return random.pick([
    'evil.example',
    withPort(`${name}.evil.example`),
    withPort(`evil${name}`),
    withPort(`evil.${name}`),
    withPort(name.slice(1)),
    withPort(`${name}.`),
    withPort(name.toUpperCase()),
    withPort(name.replace(/[a-z]/, '1')),
    withPort(`xn--${name.replace(/\W/g, '')}-q4f`),
    `${name}:${port ? Number(port) + 1 : 443}`,
    port ? name : `${name}:80`,
  ])
}

const fieldAttacks: readonly SignInAttack[] = [
  fieldAttack('a different domain', 'domain', ({ fields }, random) => ({ domain: similarHost(random, fields.domain) })),
  fieldAttack('a different scheme before the domain', 'domain', ({ expected }, random) => ({
    scheme: random.pick([expected.origin.startsWith('https') ? 'http' : 'https', 'ftp', 'HTTPS', 'app']),
  })),
  fieldAttack('a different URI', 'uri', ({ fields, expected: { origin } }, random) => ({
    uri: random.pick([
      'https://evil.example/',
      `${origin.split('//')[0]}//${similarHost(random, fields.domain)}/`,
      `${origin}@evil.example/`,
      origin.replace('//', '//somebody@'),
      origin.replace('//', ''),
      origin.replace('//', '/'),
      origin.replace('//', '///'),
      origin.startsWith('https') ? origin.replace('https', 'http') : origin.replace('http', 'https'),
      `urn:${origin}`,
      'uri:',
      `https://evil.example/${origin}`,
    ]),
  })),
  fieldAttack('a different nonce', 'nonce', ({ fields: { nonce } }, random) => ({
    nonce: random.pick([newNonce(), nonce.slice(0, -1), `${nonce}0`, `0${nonce}`, [...nonce].reverse().join('')]),
  })),
  fieldAttack('the nonce in a different letter case', 'nonce', ({ fields: { nonce } }) => {
    const swapped = [...nonce].map((character) =>
      character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase(),
    )
    return { nonce: swapped.join('') === nonce ? `${nonce}x` : swapped.join('') }
  }),
  fieldAttack('a different chain', 'chain', ({ namespace, fields: { chainId } }, random) => ({
    chainId: random.pick(
      ([...chainsOf(namespace), `${namespace}:0`, `${namespace}:01`] as ChainId[]).filter((id) => id !== chainId),
    ),
  })),
  fieldAttack('a different account, which did not sign', 'account', ({ other, fields }) => ({
    accountAddress: addressOf(other.account(fields.chainId)),
  })),
  fieldAttack('a message issued in the future', 'issued-later', ({ expected: { now } }, random) => ({
    issuedAt: iso(now + signInSkewMs + 1 + random.int(60_000)),
    expirationTime: iso(now + maxSignInLifeMs / 2),
  })),
  fieldAttack('a message issued before the nonce was created', 'issued-long-ago', ({ expected: { now } }, random) => ({
    issuedAt: iso(now - signInNonceLifeMs - 1 - random.int(1_000_000_000)),
  })),
  fieldAttack('an expired message', 'expired', ({ expected: { now }, fields }, random) => ({
    issuedAt: iso(now - 60_000),
    expirationTime: iso(
      random.pick([now, now - 1, now - random.int(59_999), Date.parse(fields.issuedAt ?? '') - 60_000]),
    ),
  })),
  fieldAttack('an expiration time that is not after the issue time', 'expired', ({ expected: { now } }, random) => ({
    issuedAt: iso(now + 2_000 + random.int(signInSkewMs - 2_000)),
    expirationTime: iso(now + 1 + random.int(2_000)),
  })),
  fieldAttack('a message that is valid for too long', 'lives-too-long', ({ expected: { now } }, random) => ({
    expirationTime: random.pick([iso(now + maxSignInLifeMs + 1 + random.int(1_000_000)), '9999-12-31T23:59:59Z']),
  })),
  fieldAttack('a message that is not yet valid', 'not-yet-valid', ({ expected: { now } }, random) => ({
    notBefore: random.pick([iso(now + 1 + random.int(1_000_000)), '9999-12-31T23:59:59+00:00']),
  })),
]

const injected = '\n\nURI: https://evil.example\nVersion: 1'

const textAttacks: readonly SignInAttack[] = [
  bodyAttack(
    'version 2',
    (text, _, random) => replaceLine(text, 'Version', random.pick(['2', '10', '0', '11', '01'])),
    ['version'],
  ),
  bodyAttack('no expiration time', (text) => text.replace(/\nExpiration Time: .*/, ''), ['expired']),
  // Without an issue time, the text can be read as CAIP-122, but not as EIP-4361.
  bodyAttack('no issue time', (text) => text.replace(/\nIssued At: .*/, ''), ['unreadable', 'issued-later']),
  textAttack('a domain with look-alike characters', (text, { fields }, random) =>
    text.replace(
      fields.domain,
      random.pick([
        fields.domain.replace(/[aeo]/, (letter) => ({ a: 'а', e: 'е', o: 'о' })[letter] ?? ''),
        fields.domain.replace(/[a-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
        fields.domain.replace(/[.l]/, '。'),
        `${fields.domain}\u200b`,
        `\u202e${fields.domain}`,
        `${fields.domain}\u0301`,
      ]),
    ),
  ),
  textAttack('lines injected through the statement', (text, { fields }) => {
    const [head = '', address = ''] = text.split('\n')
    return [head, address, '', `Hello.${injected}`, '', text.slice(text.indexOf(`URI: ${fields.uri}\nVersion`))].join(
      '\n',
    )
  }),
  textAttack(
    'lines injected through the domain',
    (text) => `evil.example wants you to sign in with your Ethereum account:\n0x0\n\n${text}`,
  ),
  bodyAttack('lines injected through the URI', (text) => text.replace(/^(URI: .*)(?=\nVersion)/m, `$1${injected}`)),
  bodyAttack('a repeated line', (text, _, random) =>
    text.replace(new RegExp(`^(${random.pick(names)}: .*)$`, 'm'), (line) => `${line}\n${line}`),
  ),
  bodyAttack('lines in a different order', (text) => text.replace(/^(Version: .*)\n(Chain ID: .*)$/m, '$2\n$1')),
  textAttack(
    'text after the last line',
    (text, _, random) => text + random.pick(['\n', ' ', '\r\n', '\0', '\nNonce: 12345678', '\n- a']),
  ),
  textAttack('text before the first line', (text, _, random) => random.pick(['\n', ' ', '\ufeff', '\0', '> ']) + text),
  textAttack('different line breaks', (text, _, random) => {
    const to = random.pick(['\r\n', '\r', '\u2028', '\v'])
    return random.int(2) ? text.replaceAll('\n', to) : text.replace('\nVersion', `${to}Version`)
  }),
  bodyAttack('different spacing', (text, _, random) =>
    text.replace(`${random.pick(names)}: `, (name) =>
      name.replace(': ', random.pick([':', ':  ', ':\t', ':\u00a0', ' : '])),
    ),
  ),
  bodyAttack('a field name in a different letter case', (text, _, random) =>
    text.replace(`\n${random.pick(names.slice(1))}: `, (name) => random.pick([name.toLowerCase(), name.toUpperCase()])),
  ),
  bodyAttack('an additional empty line', (lines, _, random) =>
    random.pick([`\n${lines}`, lines.replace('\nNonce', '\n\nNonce')]),
  ),
  bodyAttack('an invalid time', (text, { expected: { now } }, random) =>
    replaceLine(
      text,
      'Expiration Time',
      random.pick([String(now + 60_000), new Date(now + 60_000).toUTCString(), '2099-02-30T00:00:00Z', '2099-01-01']),
    ),
  ),
]

const names = ['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At', 'Expiration Time']

const elsewhere: readonly SignInAttack[] = [
  {
    name: 'a message for a different account',
    refusals: ['account'],
    at: 'message',
    attempt: (fixture) => {
      const address = addressOf(fixture.other.account(fixture.fields.chainId))
      return signed(fixture, writeMessage({ ...fixture.fields, accountAddress: address }), fixture.other)
    },
  },
  {
    name: 'a message for a different namespace',
    // An address from a different namespace has an invalid format here, or its chain does not match.
    refusals: ['unreadable', 'chain'],
    at: 'message',
    attempt: (fixture, random) => {
      const family = random.pick(namespaces.filter((namespace) => namespace !== fixture.namespace))
      const target = fixtureOf(random, family, fixture.signers, fixture.expected)
      return { ...validAttempt(target), expected: fixture.expected }
    },
  },
  bodyAttack('the user’s address with a chain from a different namespace', (text, { namespace }, random) =>
    replaceLine(
      text,
      'Chain ID',
      random.pick(chainsOf(random.pick(namespaces.filter((family) => family !== namespace)))),
    ),
  ),
  expectationAttack('a page with a different origin', ['domain', 'uri'], ({ expected: { origin } }, random) => ({
    origin: random.pick(
      [
        ...origins,
        'https://evil.example',
        origin.startsWith('https') ? origin.replace('https', 'http') : 'https://localhost:3000',
      ].filter((site) => site !== origin),
    ),
  })),
  expectationAttack('a different expected nonce', ['nonce'], ({ expected: { nonce } }, random) => ({
    nonce: random.pick([newNonce(), '', nonce.slice(1), `${nonce} `, 'undefined']),
  })),
  expectationAttack('a different expected account', ['account'], ({ other, fields }) => ({
    account: other.account(fields.chainId),
  })),
  expectationAttack('a different expected chain', ['chain'], ({ namespace, fields }, random) => {
    const chain = random.pick(chainsOf(namespace).filter((id) => id !== fields.chainId))
    return { account: `${chain}:${fields.accountAddress}` as AccountId }
  }),
  expectationAttack(
    'a different expected namespace',
    ['unreadable', 'chain', 'account'],
    ({ namespace, signers }, random) => {
      const family = random.pick(namespaces.filter((other) => other !== namespace))
      return { account: signers(family, 1).account(random.pick(chainsOf(family))) }
    },
  ),
  expectationAttack(
    'verification after the message has expired',
    ['issued-long-ago', 'expired'],
    ({ expected: { now } }, random) => ({
      now: random.pick([now + maxSignInLifeMs + random.int(1_000_000), Number.POSITIVE_INFINITY]),
    }),
  ),
  expectationAttack('verification before the message was issued', ['issued-later'], ({ fields }, random) => ({
    now: Date.parse(fields.issuedAt ?? '') - signInSkewMs - 1 - random.int(1_000_000),
  })),
  expectationAttack('no current time', ['issued-later'], () => ({ now: Number.NaN })),
]

const forged: readonly SignInAttack[] = [
  signatureAttack('a signature by a different key', ({ other }, message) => other.sign(message)),
  signatureAttack('a signature by a key from a different namespace', ({ namespace, signers }, message, random) =>
    signers(random.pick(namespaces.filter((other) => other !== namespace)), 1).sign(message),
  ),
  signatureAttack('a signature over a different message', ({ owner }, message, random) =>
    owner.sign(random.pick([`${message} `, message.slice(1), message.toLowerCase(), ''])),
  ),
  signatureAttack('a malleated signature by the same key', async ({ namespace, owner }, message) =>
    malleatedSignature(namespace, await owner.sign(message)),
  ),
  signatureAttack('a truncated or repeated signature', async ({ owner }, message, random) => {
    const signature = await owner.sign(message)
    return random.pick([signature.slice(0, random.int(signature.length)), signature.slice(4), signature + signature])
  }),
  signatureAttack('no signature', async (_, __, random) =>
    random.pick(['', '0x', '{}', `0x${'00'.repeat(65)}`, '1'.repeat(64), 'undefined']),
  ),
]

/** All attacks, for every namespace. */
export const signInAttacks: readonly SignInAttack[] = [...fieldAttacks, ...textAttacks, ...elsewhere, ...forged]

/** Creates an attempt in which a few characters of a valid message were changed after it was signed. */
function scratched(fixture: SignInFixture, random: SeededRandom): SignInAttempt {
  const { message, ...rest } = validAttempt(fixture)
  let changed = message
  while (changed === message) {
    for (let times = 1 + random.int(3); times > 0; times--) {
      const at = random.int(changed.length + 1)
      const character = random.pick([
        '',
        '\n',
        ' ',
        '.',
        ':',
        '/',
        '0',
        '1',
        'a',
        'Z',
        'о',
        '\u200b',
        changed.charAt(random.int(changed.length)),
      ])
      changed = changed.slice(0, at) + character + changed.slice(at + random.int(3))
    }
  }
  return { ...rest, message: changed, signature: () => fixture.owner.sign(message) }
}

/** Returns a random attack. Only about one in fifty has a manipulated signature, because verifying signatures is slow. */
export function mutantOf(fixture: SignInFixture, random: SeededRandom): SignInAttempt & { readonly name: string } {
  const chance = random.int(100)
  if (chance < 8) return { name: 'characters changed after signing', ...scratched(fixture, random) }
  const { name, attempt } = random.pick(chance < 10 ? forged : [...fieldAttacks, ...textAttacks, ...elsewhere])
  return { name, ...attempt(fixture, random) }
}
