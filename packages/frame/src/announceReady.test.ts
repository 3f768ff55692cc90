import type { KeysOriginConfig } from '@latchkey/protocol/http/keys'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { announceReady } from './announceReady.ts'

/** Announces READY with a server that responds with `config`. Returns the sent payloads. */
function announce(config: Promise<object>, { isCrossSite = false, hasPasskeys = true } = {}) {
  const clock = fakeClock()
  const sent: unknown[] = []
  announceReady({
    window: {
      setTimeout: (task: () => void, ms: number) => clock.after(ms, task),
      ...(hasPasskeys && { PublicKeyCredential: { parseRequestOptionsFromJSON() {} } }),
    } as never,
    bridge: { sayReady: (payload) => sent.push(payload) },
    config: { load: () => config as Promise<KeysOriginConfig> },
    isCrossSite,
  })
  return { clock, sent }
}

const config = { custody: 'self', social: ['google'], farcaster: true, passkeys: true }

test.each<[name: string, options: Parameters<typeof announce>[1], change: object, capabilities: readonly string[]]>([
  ['on a same-site page', {}, {}, ['port', 'wallet', 'passkey']],
  ['if the server does not support passkeys', {}, { passkeys: false }, ['port', 'wallet']],
  ['in a browser that does not support passkeys', { hasPasskeys: false }, {}, ['port', 'wallet']],
  ['on a cross-site page', { isCrossSite: true }, {}, ['port', 'window', 'wallet']],
])('READY lists the capabilities that are available %s', async (_, options, change, capabilities) => {
  const { sent, clock } = announce(Promise.resolve({ ...config, ...change }), options)
  await clock.pass(0)
  expect(sent).toEqual([{ version: '4', custody: 'self', socials: ['google', 'farcaster'], capabilities }])
})

test('READY is sent without a configuration if the server fails, or does not respond within two seconds', async () => {
  const failed = announce(Promise.reject(new Error('offline')))
  await failed.clock.pass(0)
  expect(failed.sent).toEqual([{ version: '4', capabilities: ['port'] }])

  const hanging = announce(new Promise(() => {}), { isCrossSite: true })
  await hanging.clock.pass(1_999)
  expect(hanging.sent).toEqual([])
  await hanging.clock.pass(1)
  expect(hanging.sent).toEqual([{ version: '4', capabilities: ['port', 'window'] }])
})
