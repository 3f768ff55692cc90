import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import { addressOf, chainOf, namespaces } from '@latchkey/protocol/caip'
import { signInLifeMostMs, signInNonceLifeMs, signInSkewMs } from '@latchkey/protocol/specificationConstants'
import type { SeededRandom } from '@latchkey/protocol/testing'
import { newNonce, writeMessage } from '../message/messageText.ts'
import type { SignInExpected, SignInFields, SignInRefusal } from '../message/signInTypes.ts'
import { anyStatement, anyUri, chainsOf } from './signInFields.ts'
import { malleatedSignature, signWith, type TestSigner } from './testSigner.ts'

/** Returns the test signer for a namespace and seed. */
export type SignInSigners = (namespace: Namespace, seed: number) => TestSigner

/** Creates the test signers. Each key and account is created only once, because this takes longer than most attacks. */
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
  readonly cast: SignInSigners
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

/** An attempt to sign in as a different account or on a different page. */
export interface SignInAttack {
  /** A short description of the attack, for test titles. */
  readonly name: string
  /** The acceptable reasons for rejecting the attempt. */
  readonly refusals: readonly SignInRefusal[]
  /**
   * The part that is manipulated. `expected` means that the message is valid, but intended for a different page, time or account.
   */
  readonly at: 'message' | 'signature' | 'expected'
  /** Derives the attempt from a valid sign-in. `luck` makes the random choices reproducible. */
  readonly attempt: (scene: SignInFixture, luck: SeededRandom) => SignInAttempt
}

/** Creates a valid sign-in. `input` overrides its origin, nonce and time. */
export function fixtureOf(
  luck: SeededRandom,
  namespace: Namespace,
  cast: SignInSigners,
  input: Partial<Pick<SignInExpected, 'origin' | 'nonce' | 'now'>> = {},
): SignInFixture {
  const seed = luck.int(4)
  const [owner, other] = [cast(namespace, seed), cast(namespace, seed + 100)]
  const account = owner.account(luck.pick(chainsOf(namespace)))
  const { origin = luck.pick(origins), nonce = newNonce(), now = 1_700_000_000_000 + luck.int(1_000_000_000) } = input
  const issued = now - luck.int(signInNonceLifeMs - 60_000)
  const maybe = <T extends object>(some: T): T | object => (luck.int(2) ? some : {})
  const { host, protocol } = new URL(origin)
  const fields: SignInFields = {
    ...maybe({ scheme: protocol.slice(0, -1) }),
    domain: host,
    uri: origin + luck.pick(['', '/', '/pay?a=1#b', '?a', '#b']),
    version: '1',
    nonce,
    chainId: chainOf(account),
    accountAddress: addressOf(account),
    issuedAt: iso(issued),
    expirationTime: iso(now + 60_000 + luck.int(signInLifeMostMs - 60_000)),
    ...maybe({ notBefore: iso(issued) }),
    ...maybe({ requestId: luck.word(1, 20) }),
    ...maybe({ statement: anyStatement(luck) }),
    ...maybe({ resources: [anyUri(luck, host), anyUri(luck, 'other.example')] }),
  }
  return { namespace, cast, owner, other, fields, expected: { origin, nonce, account, now } }
}

const origins = [
  'https://shop.example',
  'https://shop.example:8443',
  'http://localhost:3000',
  'https://xn--bcher-kva.example',
  'https://a.b.shop.example',
]

/** Returns an attempt with the valid message, signed by the owner. */
export function validAttempt(scene: SignInFixture): SignInAttempt {
  return signed(scene, writeMessage(scene.fields))
}

function signed(scene: SignInFixture, message: string, by: TestSigner = scene.owner): SignInAttempt {
  return { message, signature: () => by.sign(message), expected: scene.expected }
}

const iso = (moment: number): string => new Date(moment).toISOString()

/** Replaces the value in the line with this name. */
function retold(lines: string, name: string, value: string): string {
  return lines.replace(new RegExp(`^${name}: .*$`, 'm'), () => `${name}: ${value}`)
}

type Change = (scene: SignInFixture, luck: SeededRandom) => Partial<SignInFields>
type Rewrite = (text: string, scene: SignInFixture, luck: SeededRandom) => string

/** Creates an attack in which the owner signed a well-formed message with unexpected values. */
function saying(name: string, refusal: SignInRefusal, change: Change): SignInAttack {
  const attempt: SignInAttack['attempt'] = (scene, luck) =>
    signed(scene, writeMessage({ ...scene.fields, ...change(scene, luck) }))
  return { name, refusals: [refusal], at: 'message', attempt }
}

/** Creates an attack in which the owner signed a text that does not match the standards. */
function written(name: string, rewrite: Rewrite, refusals: readonly SignInRefusal[] = ['unreadable']): SignInAttack {
  const attempt: SignInAttack['attempt'] = (scene, luck) =>
    signed(scene, rewrite(writeMessage(scene.fields), scene, luck))
  return { name, refusals, at: 'message', attempt }
}

/** Like `written`, but changes only the lines from the URI on, because earlier lines such as the statement can look like them. */
function below(name: string, rewrite: Rewrite, refusals?: readonly SignInRefusal[]): SignInAttack {
  const whole: Rewrite = (text, scene, luck) => {
    const at = text.indexOf(`\nURI: ${scene.fields.uri}\nVersion: `) + 1
    return text.slice(0, at) + rewrite(text.slice(at), scene, luck)
  }
  return written(name, whole, refusals)
}

/** Creates an attack that submits a valid message where different values are expected. */
function meantFor(
  name: string,
  refusals: readonly SignInRefusal[],
  change: (scene: SignInFixture, luck: SeededRandom) => Partial<SignInExpected>,
): SignInAttack {
  const attempt: SignInAttack['attempt'] = (scene, luck) => ({
    ...validAttempt(scene),
    expected: { ...scene.expected, ...change(scene, luck) },
  })
  return { name, refusals, at: 'expected', attempt }
}

/** Creates an attack that submits a valid message with a wrong signature. */
function handedIn(
  name: string,
  signature: (scene: SignInFixture, message: string, luck: SeededRandom) => Promise<string>,
): SignInAttack {
  const attempt: SignInAttack['attempt'] = (scene, luck) => {
    const { message, expected } = validAttempt(scene)
    return { message, expected, signature: () => signature(scene, message, luck) }
  }
  return { name, refusals: ['signature'], at: 'signature', attempt }
}

/** Returns a random host that resembles `host` or contains parts of it. */
function nearly(luck: SeededRandom, host: string): string {
  const [name = '', port] = host.split(':')
  const withPort = (other: string): string => (port ? `${other}:${port}` : other)
  return luck.pick([
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

const saidBadly: readonly SignInAttack[] = [
  saying('a different domain', 'domain', ({ fields }, luck) => ({ domain: nearly(luck, fields.domain) })),
  saying('a different scheme before the domain', 'domain', ({ expected }, luck) => ({
    scheme: luck.pick([expected.origin.startsWith('https') ? 'http' : 'https', 'ftp', 'HTTPS', 'app']),
  })),
  saying('a different URI', 'uri', ({ fields, expected: { origin } }, luck) => ({
    uri: luck.pick([
      'https://evil.example/',
      `${origin.split('//')[0]}//${nearly(luck, fields.domain)}/`,
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
  saying('a different nonce', 'nonce', ({ fields: { nonce } }, luck) => ({
    nonce: luck.pick([newNonce(), nonce.slice(0, -1), `${nonce}0`, `0${nonce}`, [...nonce].reverse().join('')]),
  })),
  saying('the nonce in a different letter case', 'nonce', ({ fields: { nonce } }) => {
    const swapped = [...nonce].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()))
    return { nonce: swapped.join('') === nonce ? `${nonce}x` : swapped.join('') }
  }),
  saying('a different chain', 'chain', ({ namespace, fields: { chainId } }, luck) => ({
    chainId: luck.pick(
      ([...chainsOf(namespace), `${namespace}:0`, `${namespace}:01`] as ChainId[]).filter((id) => id !== chainId),
    ),
  })),
  saying('a different account, which did not sign', 'account', ({ other, fields }) => ({
    accountAddress: addressOf(other.account(fields.chainId)),
  })),
  saying('a message issued in the future', 'issued-later', ({ expected: { now } }, luck) => ({
    issuedAt: iso(now + signInSkewMs + 1 + luck.int(60_000)),
    expirationTime: iso(now + signInLifeMostMs / 2),
  })),
  saying('a message issued before the nonce was created', 'issued-long-ago', ({ expected: { now } }, luck) => ({
    issuedAt: iso(now - signInNonceLifeMs - 1 - luck.int(1_000_000_000)),
  })),
  saying('an expired message', 'expired', ({ expected: { now }, fields }, luck) => ({
    issuedAt: iso(now - 60_000),
    expirationTime: iso(luck.pick([now, now - 1, now - luck.int(59_999), Date.parse(fields.issuedAt ?? '') - 60_000])),
  })),
  saying('a message that expires before it was issued', 'expired', ({ expected: { now } }, luck) => ({
    issuedAt: iso(now + 2_000 + luck.int(signInSkewMs - 2_000)),
    expirationTime: iso(now + 1 + luck.int(2_000)),
  })),
  saying('a message that is valid for too long', 'lives-too-long', ({ expected: { now } }, luck) => ({
    expirationTime: luck.pick([iso(now + signInLifeMostMs + 1 + luck.int(1_000_000)), '9999-12-31T23:59:59Z']),
  })),
  saying('a message that is not yet valid', 'not-yet-valid', ({ expected: { now } }, luck) => ({
    notBefore: luck.pick([iso(now + 1 + luck.int(1_000_000)), '9999-12-31T23:59:59+00:00']),
  })),
]

const injected = '\n\nURI: https://evil.example\nVersion: 1'

const writtenBadly: readonly SignInAttack[] = [
  below('version 2', (text, _, luck) => retold(text, 'Version', luck.pick(['2', '10', '0', '11', '01'])), ['version']),
  below('no expiration time', (text) => text.replace(/\nExpiration Time: .*/, ''), ['expired']),
  // Without an issue time, the text can be read as CAIP-122, but not as EIP-4361.
  below('no issue time', (text) => text.replace(/\nIssued At: .*/, ''), ['unreadable', 'issued-later']),
  written('a domain with look-alike characters', (text, { fields }, luck) =>
    text.replace(
      fields.domain,
      luck.pick([
        fields.domain.replace(/[aeo]/, (letter) => ({ a: 'а', e: 'е', o: 'о' })[letter] ?? ''),
        fields.domain.replace(/[a-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
        fields.domain.replace(/[.l]/, '。'),
        `${fields.domain}\u200b`,
        `\u202e${fields.domain}`,
        `${fields.domain}\u0301`,
      ]),
    ),
  ),
  written('lines injected by the statement', (text, { fields }) => {
    const [head = '', address = ''] = text.split('\n')
    return [head, address, '', `Hello.${injected}`, '', text.slice(text.indexOf(`URI: ${fields.uri}\nVersion`))].join(
      '\n',
    )
  }),
  written(
    'lines injected by the domain',
    (text) => `evil.example wants you to sign in with your Ethereum account:\n0x0\n\n${text}`,
  ),
  below('lines injected by the URI', (text) => text.replace(/^(URI: .*)(?=\nVersion)/m, `$1${injected}`)),
  below('a repeated line', (text, _, luck) =>
    text.replace(new RegExp(`^(${luck.pick(names)}: .*)$`, 'm'), (line) => `${line}\n${line}`),
  ),
  below('lines in a different order', (text) => text.replace(/^(Version: .*)\n(Chain ID: .*)$/m, '$2\n$1')),
  written(
    'an additional last line',
    (text, _, luck) => text + luck.pick(['\n', ' ', '\r\n', '\0', '\nNonce: 12345678', '\n- a']),
  ),
  written('text before the first line', (text, _, luck) => luck.pick(['\n', ' ', '\ufeff', '\0', '> ']) + text),
  written('different line breaks', (text, _, luck) => {
    const to = luck.pick(['\r\n', '\r', '\u2028', '\v'])
    return luck.int(2) ? text.replaceAll('\n', to) : text.replace('\nVersion', `${to}Version`)
  }),
  below('different spacing', (text, _, luck) =>
    text.replace(`${luck.pick(names)}: `, (name) =>
      name.replace(': ', luck.pick([':', ':  ', ':\t', ':\u00a0', ' : '])),
    ),
  ),
  below('a field name in a different letter case', (text, _, luck) =>
    text.replace(`\n${luck.pick(names.slice(1))}: `, (name) => luck.pick([name.toLowerCase(), name.toUpperCase()])),
  ),
  below('an additional empty line', (lines, _, luck) =>
    luck.pick([`\n${lines}`, lines.replace('\nNonce', '\n\nNonce')]),
  ),
  below('a time in a different format', (text, { expected: { now } }, luck) =>
    retold(
      text,
      'Expiration Time',
      luck.pick([String(now + 60_000), new Date(now + 60_000).toUTCString(), '2099-02-30T00:00:00Z', '2099-01-01']),
    ),
  ),
]

const names = ['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At', 'Expiration Time']

const elsewhere: readonly SignInAttack[] = [
  {
    name: 'a message for a different account',
    refusals: ['account'],
    at: 'message',
    attempt: (scene) => {
      const address = addressOf(scene.other.account(scene.fields.chainId))
      return signed(scene, writeMessage({ ...scene.fields, accountAddress: address }), scene.other)
    },
  },
  {
    name: 'a message for a different namespace',
    // An address from a different namespace has an invalid format here, or its chain does not match.
    refusals: ['unreadable', 'chain'],
    at: 'message',
    attempt: (scene, luck) => {
      const family = luck.pick(namespaces.filter((each) => each !== scene.namespace))
      const there = fixtureOf(luck, family, scene.cast, scene.expected)
      return { ...validAttempt(there), expected: scene.expected }
    },
  },
  below('a chain in a different namespace with the user’s address', (text, { namespace }, luck) =>
    retold(text, 'Chain ID', luck.pick(chainsOf(luck.pick(namespaces.filter((each) => each !== namespace))))),
  ),
  meantFor('a page with a different origin', ['domain', 'uri'], ({ expected: { origin } }, luck) => ({
    origin: luck.pick(
      [
        ...origins,
        'https://evil.example',
        origin.startsWith('https') ? origin.replace('https', 'http') : 'https://localhost:3000',
      ].filter((each) => each !== origin),
    ),
  })),
  meantFor('a different expected nonce', ['nonce'], ({ expected: { nonce } }, luck) => ({
    nonce: luck.pick([newNonce(), '', nonce.slice(1), `${nonce} `, 'undefined']),
  })),
  meantFor('a different expected account', ['account'], ({ other, fields }) => ({
    account: other.account(fields.chainId),
  })),
  meantFor('a different expected chain', ['chain'], ({ namespace, fields }, luck) => {
    const chain = luck.pick(chainsOf(namespace).filter((id) => id !== fields.chainId))
    return { account: `${chain}:${fields.accountAddress}` as AccountId }
  }),
  meantFor('a different expected namespace', ['unreadable', 'chain', 'account'], ({ namespace, cast }, luck) => {
    const family = luck.pick(namespaces.filter((each) => each !== namespace))
    return { account: cast(family, 1).account(luck.pick(chainsOf(family))) }
  }),
  meantFor('a later current time', ['issued-long-ago', 'expired'], ({ expected: { now } }, luck) => ({
    now: luck.pick([now + signInLifeMostMs + luck.int(1_000_000), Number.POSITIVE_INFINITY]),
  })),
  meantFor('an earlier current time', ['issued-later'], ({ fields }, luck) => ({
    now: Date.parse(fields.issuedAt ?? '') - signInSkewMs - 1 - luck.int(1_000_000),
  })),
  meantFor('no current time', ['issued-later'], () => ({ now: Number.NaN })),
]

const forged: readonly SignInAttack[] = [
  handedIn('a signature by a different key', ({ other }, message) => other.sign(message)),
  handedIn('a signature by a key from a different namespace', ({ namespace, cast }, message, luck) =>
    cast(luck.pick(namespaces.filter((each) => each !== namespace)), 1).sign(message),
  ),
  handedIn('a signature over a different message', ({ owner }, message, luck) =>
    owner.sign(luck.pick([`${message} `, message.slice(1), message.toLowerCase(), ''])),
  ),
  handedIn('a malleated signature by the same key', async ({ namespace, owner }, message) =>
    malleatedSignature(namespace, await owner.sign(message)),
  ),
  handedIn('a truncated or repeated signature', async ({ owner }, message, luck) => {
    const signature = await owner.sign(message)
    return luck.pick([signature.slice(0, luck.int(signature.length)), signature.slice(4), signature + signature])
  }),
  handedIn('no signature', async (_, __, luck) =>
    luck.pick(['', '0x', '{}', `0x${'00'.repeat(65)}`, '1'.repeat(64), 'undefined']),
  ),
]

/** All attacks, for every namespace. */
export const signInAttacks: readonly SignInAttack[] = [...saidBadly, ...writtenBadly, ...elsewhere, ...forged]

/** Creates an attempt in which a few characters of a valid message were changed after it was signed. */
function scratched(scene: SignInFixture, luck: SeededRandom): SignInAttempt {
  const { message, ...rest } = validAttempt(scene)
  let changed = message
  while (changed === message) {
    for (let times = 1 + luck.int(3); times > 0; times--) {
      const at = luck.int(changed.length + 1)
      const letter = luck.pick([
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
        changed.charAt(luck.int(changed.length)),
      ])
      changed = changed.slice(0, at) + letter + changed.slice(at + luck.int(3))
    }
  }
  return { ...rest, message: changed, signature: () => scene.owner.sign(message) }
}

/** Returns a random attack. Only about one in fifty has a manipulated signature, because verifying signatures is slow. */
export function mutantOf(scene: SignInFixture, luck: SeededRandom): SignInAttempt & { readonly name: string } {
  const chance = luck.int(100)
  if (chance < 8) return { name: 'scratched', ...scratched(scene, luck) }
  const { name, attempt } = luck.pick(chance < 10 ? forged : [...saidBadly, ...writtenBadly, ...elsewhere])
  return { name, ...attempt(scene, luck) }
}
