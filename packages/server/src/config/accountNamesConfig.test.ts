import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './readConfig.ts'

test('a zone below .eth is only accepted with its resolver’s key, because pages resolve its names through ENS', () => {
  const key = `0x${'12'.repeat(32)}`
  expect(() => readConfig({ NAMES_ZONE: 'base.eth' })).toThrow(ConfigError)
  expect(() => readConfig({ NAMES_ZONE: 'base.eth' })).toThrow(
    'NAMES_RESOLVER_KEY must be set if NAMES_ZONE is base.eth',
  )
  expect(readConfig({ NAMES_ZONE: 'bakery.eth', NAMES_RESOLVER_KEY: key }).names?.zone).toBe('bakery.eth')
  expect(readConfig({ NAMES_ZONE: 'shop.example' }).names?.zone).toBe('shop.example')
})
