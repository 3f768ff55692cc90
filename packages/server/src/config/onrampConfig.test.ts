import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './readConfig.ts'

const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'sec1', format: 'pem' })
  .toString()
const ed25519 = Buffer.alloc(64, 7).toString('base64')

function errorsOf(values: Readonly<Record<string, string>>): string {
  try {
    readConfig(values)
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

test('without a key there is no onramp', () => {
  expect(readConfig({}).onramp).toBeUndefined()
  expect(readConfig({ ONRAMP_COUNTRY: 'DE', COINBASE_API_URL: 'https://api.example' }).onramp).toBeUndefined()
})

test('an API key enables its provider, and line breaks in a PEM key can be escaped', () => {
  expect(
    readConfig({ COINBASE_API_KEY_ID: 'key', COINBASE_API_KEY_SECRET: pem.trim().replaceAll('\n', '\\n') }).onramp,
  ).toEqual({
    country: 'US',
    subdivision: undefined,
    coinbase: {
      keyId: 'key',
      keySecret: pem.trim(),
      apiUrl: 'https://api.developer.coinbase.com/onramp',
      payUrl: 'https://pay.coinbase.com',
    },
    meld: undefined,
  })
  const both = readConfig({
    ONRAMP_COUNTRY: 'de',
    COINBASE_API_KEY_ID: 'key',
    COINBASE_API_KEY_SECRET: ed25519,
    COINBASE_API_URL: 'http://127.0.0.1:4000/onramp/',
    MELD_API_KEY: 'W9kZ:3sYK',
    MELD_API_URL: 'https://api-sb.meld.io/',
  }).onramp
  expect(both).toMatchObject({
    country: 'DE',
    coinbase: { apiUrl: 'http://127.0.0.1:4000/onramp' },
    meld: { apiKey: 'W9kZ:3sYK', apiUrl: 'https://api-sb.meld.io' },
  })
})

test('an incomplete or invalid configuration is reported at startup, without the secret', () => {
  const id = { COINBASE_API_KEY_ID: 'key' }
  for (const [values, message] of [
    [id, 'COINBASE_API_KEY_SECRET must be set if COINBASE_API_KEY_ID is set.'],
    [{ COINBASE_API_KEY_SECRET: ed25519 }, 'COINBASE_API_KEY_ID must be set if COINBASE_API_KEY_SECRET is set.'],
    [{ ...id, COINBASE_API_KEY_SECRET: 'hunter2' }, 'COINBASE_API_KEY_SECRET must be the secret of a CDP API key'],
    [
      { ...id, COINBASE_API_KEY_SECRET: ed25519, COINBASE_API_URL: 'http://api.example' },
      'COINBASE_API_URL must be an https URL without a query or fragment.',
    ],
    [
      { MELD_API_KEY: 'k', MELD_API_URL: 'https://api.example/?key=1' },
      'MELD_API_URL must be an https URL without a query or fragment.',
    ],
    [
      { ...id, COINBASE_API_KEY_SECRET: ed25519, COINBASE_PAY_URL: 'pay.example' },
      'COINBASE_PAY_URL must be an http or https URL.',
    ],
    [{ MELD_API_KEY: 'two words' }, 'MELD_API_KEY must be an API key.'],
    [{ MELD_API_KEY: 'k', ONRAMP_COUNTRY: 'Germany' }, 'ONRAMP_COUNTRY must be a country code like US.'],
  ] as const) {
    expect(errorsOf(values)).toContain(message)
    expect(errorsOf(values)).not.toContain('hunter2')
  }
})
