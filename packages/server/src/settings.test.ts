import { describe, expect, test } from 'vitest'
import { readSettings, SettingsError, variables } from './settings.ts'

describe('settings', () => {
  test('with nothing configured the server is for this machine only, with its data beside it', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 4100,
      portIsFixed: false,
      databaseUrl: undefined,
      dataFolder: './.latchkey',
      analytics: true,
      logLevel: 'info',
      metricsToken: undefined,
    })
    expect(readSettings({}).rpcUrls.size).toBe(0)
  })

  test('an empty value is no value', () => {
    const empty = Object.fromEntries(variables.map(({ name }) => [name, ' ']))
    expect(readSettings(empty)).toEqual(readSettings({}))
  })

  test('nodes are read per chain, in their order', () => {
    const { rpcUrls } = readSettings({
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
    ['ANALYTICS', 'maybe'],
    ['RPC_URLS', 'eip155:1'],
    ['RPC_URLS', 'eip155:1='],
    ['RPC_URLS', 'eip155:1=file:///etc/passwd'],
    ['RPC_URLS', 'eip155:one=https://a'],
    ['RPC_URLS', '1=https://a'],
    ['RPC_TIMEOUT_MS', '1'],
    ['RPC_EXTRA_METHODS', '*'],
    ['LOG_LEVEL', 'loud'],
    ['STOP_TIMEOUT_MS', '1.5'],
  ])('%s=%s is refused in one sentence that names the variable and not the value', (name, value) => {
    const reading = () => readSettings({ [name]: value })
    expect(reading).toThrow(SettingsError)
    expect(reading).toThrow(new RegExp(`^${name} must be [^\\n]+\\.$`))
  })

  test('every variable has a meaning', () => {
    expect(variables.length).toBeGreaterThan(10)
    for (const { meaning } of variables) expect(meaning).not.toBe('')
  })
})
