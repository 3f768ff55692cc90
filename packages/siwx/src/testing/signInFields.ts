import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { SeededRandom } from '@latchkey/protocol/testing'
import type { SignInFields } from '../message/signInTypes.ts'

/** Returns the chains in a namespace from which tests choose at random. */
export function chainsOf(namespace: Namespace): readonly ChainId[] {
  const references = {
    eip155: ['1', '137', '8453', '11155111'],
    solana: ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
    polkadot: ['91b171bb158e2d3848fa23a9f1c25182', 'b0a8d493285c2df73290dfb7e61f870f'],
    bip122: ['000000000019d6689c085ae165831e93', '000000000933ea01ad0ee984209779ba'],
    cosmos: ['cosmoshub-4', 'osmosis-1', 'juno-1'],
  } as const
  return references[namespace].map((reference) => `${namespace}:${reference}` as const)
}

/** Returns random valid fields. The times are arbitrary, and there need not be a key for the address. */
export function anyFields(random: SeededRandom, namespace: Namespace): SignInFields {
  const maybe = <T extends object>(some: T): T | object => (random.int(2) ? some : {})
  const host = anyHost(random)
  return {
    ...maybe({ scheme: random.pick(['https', 'http', 'a+b-c.d']) }),
    domain: host,
    uri: anyUri(random, host),
    version: '1',
    nonce: random.word(8, 40).replaceAll('-', 'x'),
    chainId: random.pick(chainsOf(namespace)),
    accountAddress: anyAddress(random, namespace),
    issuedAt: anyTime(random),
    ...maybe({ expirationTime: anyTime(random) }),
    ...maybe({ notBefore: anyTime(random) }),
    ...maybe({ requestId: random.pick(['', random.word(1, 30), 'a%20b:c@d', "(!$&'*+,;=~_.)"]) }),
    ...maybe({ statement: anyStatement(random) }),
    ...maybe({ resources: Array.from({ length: 1 + random.int(4) }, () => anyUri(random, anyHost(random))) }),
  }
}

function anyHost(random: SeededRandom): string {
  const label = (): string => random.word(1, 12)
  return random.pick([
    `${label()}.example`,
    `${label()}.${label()}.example:${1 + random.int(65_535)}`,
    'localhost:3000',
    '127.0.0.1',
    '[::1]:8080',
    '[2001:db8::8a2e:370:7334]',
    'xn--bcher-kva.example',
  ])
}

/** Returns a random URI, with or without a host. */
export function anyUri(random: SeededRandom, host: string): string {
  const make = random.pick([
    () => `https://${host}`,
    () => `https://${host}/${random.word(1, 20)}?a=%5B1%5D&b=/?#c/?d`,
    () => `http://user:pass@${host}/`,
    () => `ipfs://${random.word(20, 46)}`,
    () => `urn:recap:${random.word(10, 200)}`,
    () => `did:pkh:eip155:1:0x${random.digits(40)}`,
    () => 'uri:',
  ])
  return make()
}

/** Returns a random statement. Some statements look like other lines of a message, and a parser must not confuse them. */
export function anyStatement(random: SeededRandom): string {
  return random.pick([
    'I accept the terms: https://shop.example/terms',
    'URI: https://evil.example',
    'Resources:',
    '- https://evil.example',
    ' ',
    '  spaces around ',
    'evil.example wants you to sign in with your Ethereum account:',
    ":/?#[]@!$&'()*+,;= -._~",
    Array.from({ length: 1 + random.int(10) }, () => random.word(1, 12)).join(' '),
  ])
}

function anyTime(random: SeededRandom): string {
  const time = new Date(random.int(2 ** 31) * 1_500).toISOString()
  return random.pick([
    time,
    time.replace(/\.\d+/, ''),
    time.replace('Z', random.digits(5).concat('Z')),
    time.replace('Z', '+05:30'),
    time.replace('Z', '-00:00'),
    time.toLowerCase(),
  ])
}

function anyAddress(random: SeededRandom, namespace: Namespace): string {
  const of = (letters: string, count: number): string =>
    Array.from({ length: count }, () => random.pick([...letters])).join('')
  const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
  switch (namespace) {
    case 'eip155':
      return `0x${of('0123456789abcdefABCDEF', 40)}`
    case 'solana':
      return of(base58, 32 + random.int(13))
    case 'polkadot':
      return `1${of(base58, 46 + random.int(3))}`
    case 'bip122':
      return random.pick([`1${of(base58, 33)}`, `3${of(base58, 33)}`, `bc1q${of(bech32, 38)}`, `bc1p${of(bech32, 58)}`])
    case 'cosmos':
      return `${random.pick(['cosmos', 'osmo', 'juno'])}1${of(bech32, 38)}`
  }
}
