import { createPrivateKey } from 'node:crypto'
import * as v from 'valibot'
import { documented, type Environment, isSet, type Variable, variableReader } from './environment.ts'
import { isHttpUrl, text } from './variableSchemas.ts'

/** An API base URL. Trailing slashes are removed. The key must not be sent unencrypted, so http is only allowed for localhost. */
const apiUrl = v.pipe(
  v.string(),
  v.check((url) => {
    if (!isHttpUrl(url)) return false
    const { protocol, hostname, search, hash } = new URL(url)
    const isHere = hostname === 'localhost' || hostname === '127.0.0.1'
    return search === '' && hash === '' && (protocol === 'https:' || isHere)
  }, 'an https URL without a query or fragment'),
  v.transform((url) => url.replace(/\/+$/, '')),
)

/** Line breaks in a PEM key are often written as `\n` in environment variables. */
const apiSecret = v.pipe(
  v.string(),
  v.transform((secret) => secret.replaceAll('\\n', '\n').trim()),
  v.check(isCdpSecret, 'the secret of a CDP API key: a PEM key (ECDSA), or 64 bytes in base64 (Ed25519)'),
)

const table = {
  ONRAMP_COUNTRY: {
    fallback: 'US',
    schema: v.pipe(v.string(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/, 'a country code like US')),
    meaning: 'Country whose currencies and payment methods are offered for buying crypto (ISO 3166-1)',
  },
  ONRAMP_SUBDIVISION: {
    fallback: '',
    schema: v.pipe(v.string(), v.toUpperCase(), v.regex(/^[A-Z0-9]{1,3}$/, 'a state code like NY')),
    meaning: 'State within ONRAMP_COUNTRY, like NY, which Coinbase requires for the United States',
  },
  COINBASE_API_KEY_ID: {
    fallback: '',
    schema: text,
    meaning: 'ID of a CDP API key for Coinbase Onramp; if not set, users cannot buy through Coinbase',
  },
  COINBASE_API_KEY_SECRET: {
    fallback: '',
    schema: apiSecret,
    meaning: 'Secret of that key; required with COINBASE_API_KEY_ID',
  },
  COINBASE_API_URL: {
    fallback: 'https://api.developer.coinbase.com/onramp',
    schema: apiUrl,
    meaning: 'API of Coinbase Onramp',
  },
  COINBASE_PAY_URL: {
    fallback: 'https://pay.coinbase.com',
    schema: v.pipe(
      v.string(),
      v.check(isHttpUrl, 'an http or https URL'),
      v.transform((url) => url.replace(/\/+$/, '')),
    ),
    meaning: 'Site on which users buy through Coinbase',
  },
  MELD_API_KEY: {
    fallback: '',
    schema: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,500}$/, 'an API key')),
    meaning: 'API key of Meld; if not set, users cannot buy through Meld',
  },
  MELD_API_URL: {
    fallback: 'https://api.meld.io',
    schema: apiUrl,
    meaning: 'API of Meld; its sandbox is https://api-sb.meld.io',
  },
} as const

/** The environment variables for buying crypto. */
export const onrampVariables: readonly Variable[] = documented(table)

/** The configuration of Coinbase Onramp. */
export interface CoinbaseConfig {
  readonly keyId: string
  /** A PEM key (ECDSA), or the base64 of an Ed25519 seed and its public key. */
  readonly keySecret: string
  /** The API, such as `https://api.developer.coinbase.com/onramp`. */
  readonly apiUrl: string
  /** The site that opens in the popup, such as `https://pay.coinbase.com`. */
  readonly payUrl: string
}

/** The configuration of Meld. */
export interface MeldConfig {
  readonly apiKey: string
  /** The API, such as `https://api.meld.io`. */
  readonly apiUrl: string
}

/** The configuration for buying crypto. At least one provider is configured. */
export interface OnrampConfig {
  /** The country whose currencies are offered (ISO 3166-1), such as `US`. */
  readonly country: string
  /** The state, such as `NY`. */
  readonly subdivision: string | undefined
  readonly coinbase: CoinbaseConfig | undefined
  readonly meld: MeldConfig | undefined
}

/** Reads the configuration for buying crypto. Returns `undefined` if there is no provider. */
export function readOnrampConfig(env: Environment): OnrampConfig | undefined {
  const { read, readIfSet, readRequired } = variableReader(table, env)
  if (isSet(env, 'COINBASE_API_KEY_SECRET') && !isSet(env, 'COINBASE_API_KEY_ID'))
    env.reject('COINBASE_API_KEY_ID must be set if COINBASE_API_KEY_SECRET is set.')
  const keyId = readIfSet('COINBASE_API_KEY_ID')
  const coinbase =
    keyId === undefined
      ? undefined
      : {
          keyId,
          keySecret: readRequired('COINBASE_API_KEY_SECRET', 'COINBASE_API_KEY_ID is set'),
          apiUrl: read('COINBASE_API_URL'),
          payUrl: read('COINBASE_PAY_URL'),
        }
  const apiKey = readIfSet('MELD_API_KEY')
  const meld = apiKey === undefined ? undefined : { apiKey, apiUrl: read('MELD_API_URL') }
  const rest = { country: read('ONRAMP_COUNTRY'), subdivision: readIfSet('ONRAMP_SUBDIVISION') }
  return coinbase || meld ? { ...rest, coinbase, meld } : undefined
}

function isCdpSecret(secret: string): boolean {
  if (!secret.startsWith('-----BEGIN')) return Buffer.from(secret, 'base64').length === 64
  try {
    return createPrivateKey(secret).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}
