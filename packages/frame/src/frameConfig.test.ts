import { expect, test } from 'vitest'
import { createFrameConfig } from './frameConfig.ts'
import type { KeysApiClient } from './keysApiClient.ts'

const server = (config: object): KeysApiClient => (async () => config) as KeysApiClient

test('a frame built without assisted custody ignores a server that enables it', async () => {
  const config = createFrameConfig({ keysClient: server({ custody: 'assisted' }), isCrossSite: false })
  expect(config.custody()).toBe('self')
  await config.load()
  expect(config.custody()).toBe('self')
})

test.each([
  [false, true],
  [true, false],
])('if isCrossSite is %s, smartSessions is %s', async (isCrossSite, smartSessions) => {
  const config = createFrameConfig({ keysClient: server({ custody: 'self', smartSessions: true }), isCrossSite })
  expect(await config.load()).toMatchObject({ smartSessions })
})
