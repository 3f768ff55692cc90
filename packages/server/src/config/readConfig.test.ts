import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, variables } from './readConfig.ts'

describe('config', () => {
  test('by default, the server listens only on loopback and stores data in the working directory', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 4100,
      portIsFixed: false,
      databaseUrl: undefined,
      dataFolder: './.latchkey',
      databaseIdleSeconds: 3,
      analytics: true,
      logLevel: 'info',
      metricsToken: undefined,
    })
    expect(readConfig({}).rpcUrls.size).toBe(0)
  })

  test('an empty value is treated as unset', () => {
    const empty = Object.fromEntries(variables.map(({ name }) => [name, ' ']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test('reads the node URLs for each chain in order', () => {
    const { rpcUrls } = readConfig({
      RPC_URLS: ' eip155:1=https://a/key?x=1&y=2, https://b ;eip155:31337=http://127.0.0.1:8545; ',
    })
    expect([...rpcUrls]).toEqual([
      ['eip155:1', ['https://a/key?x=1&y=2', 'https://b']],
      ['eip155:31337', ['http://127.0.0.1:8545']],
    ])
  })

  test.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://a'],
    ['DATABASE_IDLE_SECONDS', '0'],
    ['ANALYTICS', 'maybe'],
    ['RPC_URLS', 'eip155:1'],
    ['RPC_URLS', 'eip155:1='],
    ['RPC_URLS', 'eip155:1=file:///etc/passwd'],
    ['RPC_URLS', 'eip155:one=https://a'],
    ['RPC_URLS', '1=https://a'],
    ['RPC_TIMEOUT_MS', '1'],
    ['RPC_EXTRA_METHODS', '*'],
    ['KEYS_URL', 'http://keys.shop.example'],
    ['KEYS_URL', 'https://keys.shop.example/frame'],
    ['AUTH_SECRET', 'short'],
    ['SMTP_URL', 'https://mail.example'],
    ['MAIL_FROM', 'Shop\nBcc: <eve@evil.example>'],
    ['SOCIAL_LOGINS', 'myspace=id:secret'],
    ['SOCIAL_LOGINS', 'google=id'],
    ['DATABASE_URL', 'postgres://shop:secret@host:99999/db'],
    ['REDIS_URL', 'redis://:pa ss@127.0.0.1:99999'],
    ['REDIS_URL', 'redis://127.0.0.1:6379/relay'],
    ['SMTP_URL', 'smtp://'],
    ['SPONSOR_MAX_COST_WEI', '1 ether'],
    ['DEVICE_APPROVAL', 'yes'],
    ['CLIENT_ADDRESS_HEADER', 'x forwarded'],
    ['LOG_LEVEL', 'loud'],
    ['STOP_TIMEOUT_MS', '1.5'],
  ])('rejects %s=%s with one sentence that includes the variable name but not the value', (name, value) => {
    const reading = () => readConfig({ [name]: value })
    expect(reading).toThrow(ConfigError)
    expect(reading).toThrow(new RegExp(`^${name} must be [^\\n]+\\.$`))
  })

  test('the embedded wallet requires an origin, a mail server and, if the database is shared, a shared secret', () => {
    const env = { KEYS_URL: 'https://keys.shop.example', SMTP_URL: 'smtp://a:b@c:587', MAIL_FROM: 'Shop <a@b.example>' }
    expect(readConfig({}).keys).toBeUndefined()
    const { keys } = readConfig({ ...env, SOCIAL_LOGINS: 'google=id.apps:GOCSPX-s~1; x=abc:d:e=' })
    expect(keys).toMatchObject({ url: 'https://keys.shop.example', sessionHours: 168, deviceApproval: false })
    expect(keys?.social).toEqual(
      new Map([
        ['google', { clientId: 'id.apps', clientSecret: 'GOCSPX-s~1' }],
        ['x', { clientId: 'abc', clientSecret: 'd:e=' }],
      ]),
    )
    expect(readConfig({ ...env, KEYS_URL: 'http://keys.demo.localhost:4100/' }).keys?.url).toBe(
      'http://keys.demo.localhost:4100',
    )
    expect(() => readConfig({ ...env, SMTP_URL: '' })).toThrow(/^SMTP_URL must be set if KEYS_URL is set\.$/)
    expect(() => readConfig({ ...env, DATABASE_URL: 'postgres://a' })).toThrow(/^AUTH_SECRET must be set/)
  })

  test('reports all missing and invalid variables at once, one per line', () => {
    const env = {
      KEYS_URL: 'https://keys.shop.example',
      DATABASE_URL: 'postgres://a',
      RPC_URLS: '1=https://a',
      PORT: 'http',
    }
    const lines = [
      /^AUTH_SECRET must be set/,
      /^SMTP_URL must be set/,
      /^MAIL_FROM must be set/,
      /^PORT must be /,
      /^RPC_URLS must be /,
    ]
    const errors = (() => {
      try {
        readConfig(env)
      } catch (error) {
        if (error instanceof ConfigError) return error.message.split('\n')
        throw error
      }
      return []
    })()
    expect(errors).toHaveLength(lines.length)
    for (const [at, line] of lines.entries()) expect(errors[at]).toMatch(line)
  })

  test('every variable is documented', () => {
    expect(variables.length).toBeGreaterThan(10)
    for (const { meaning } of variables) expect(meaning).not.toBe('')
  })
})
