import { expect, test } from 'vitest'
import { createFrameConfig } from './frameConfig.ts'
import type { VaultClient } from './vaultClient.ts'

const server = (config: object): VaultClient => (async () => config) as VaultClient

test('a server that asks for assisted custody does not get it from a frame that was built without', async () => {
  const config = createFrameConfig({ vault: server({ custody: 'assisted' }), isCrossSite: false })
  expect(config.custody()).toBe('self')
  await config.load()
  expect(config.custody()).toBe('self')
})

test.each([
  [false, true],
  [true, false],
])('permissions without approval on a cross-site page (%s): %s', async (isCrossSite, smartSessions) => {
  const config = createFrameConfig({ vault: server({ custody: 'self', smartSessions: true }), isCrossSite })
  expect(await config.load()).toMatchObject({ smartSessions })
})
