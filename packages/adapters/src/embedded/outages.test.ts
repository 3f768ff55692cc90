import { createLatchkey } from '@latchkey/core'
import { fakeAdapter, fakeClock, memoryStorage } from '@latchkey/core/testing'
import { frameTexts } from '@latchkey/protocol/frame/messages'
import { scriptedFrame, testAccounts } from '@latchkey/testing'
import { expect, test } from 'vitest'
import { embedded } from './embeddedConnector.ts'
import { harness } from './testing/harness.ts'
import './embeddedWallet.ts'

const [{ address }] = testAccounts
const never = new AbortController().signal
const away =
  (sentence: string = frameTexts.serverAway) =>
  () => {
    throw new Error(sentence)
  }

test.each([
  ['the frame cannot reach its server', frameTexts.serverAway, 'wallet/unreachable'],
  ['a third-party frame fails', 'Internal server error', 'frame/failed'],
  ['our frame fails', 'An error occurred', 'frame/failed'],
])('a stored login is not cleared if %s [R4.2]', async (_, sentence, code) => {
  const page = harness({ used: true, frame: { script: { IS_CONNECTED: away(sentence) } } })
  page.records.email.set('ada@example.org')
  const connecting = page.evm.connect({ silent: true, signal: never })
  connecting.catch(() => {})
  await page.pass(1_000)
  await expect(connecting).rejects.toMatchObject({ code })
  expect([page.records.emailUsed.get(), page.records.email.get()]).toEqual(['true', 'ada@example.org'])
})

test('the page receives the server’s retry delay', async () => {
  const script = { IS_CONNECTED: away(`${frameTexts.serverAway}. Try again in 90 seconds`) }
  const page = harness({ used: true, frame: { script } })
  const connecting = page.evm.connect({ silent: true, signal: never })
  connecting.catch(() => {})
  await page.pass(1_000)
  await expect(connecting).rejects.toMatchObject({ details: { retryAfterMs: 90_000 } })
})

test('a request during an outage fails without signing anything or ending the session', async () => {
  const page = harness({ used: true, frame: { user: 'ada@example.org' } })
  const connecting = page.evm.connect({ silent: true, signal: never })
  await page.pass(1_000)
  const session = await connecting
  let ended = false
  session.on('disconnect', () => {
    ended = true
  })
  page.frame.script({ RPC_REQUEST: away(), GET_USER: away(), IS_CONNECTED: away() })
  const provider = session.provider as { request(call: object): Promise<unknown> }
  const error = await provider
    .request({ method: 'personal_sign', params: ['0x68', address] })
    .catch((cause: Error) => cause)
  expect(error).toMatchObject({ code: 4900, cause: { code: 'wallet/unreachable' } })
  expect((error as Error).message).toMatch(/nothing was signed\. Try again/)
  expect([ended, session.accounts]).toEqual([false, [`eip155:1:${address}`]])
})

test('a frame with a different version is not used and does not log the user out [R9.12]', async () => {
  const page = harness({ used: true, frame: { ready: false } })
  const connecting = page.evm.connect({ silent: true, signal: never })
  connecting.catch(() => {})
  await page.pass(0)
  page.frame.ready({ version: '9' })
  await page.pass(1_000)
  await expect(connecting).rejects.toMatchObject({ code: 'frame/unreachable' })
  expect(page.records.emailUsed.get()).toBe('true')
  expect(page.reports).toEqual(['iframe_load_failed'])
})

test('a frame that loads late is still used [R4.1]', async () => {
  const page = harness({ used: true, frame: { ready: false, user: 'ada@example.org' } })
  const wallet = await page.bridge.wallet?.()
  let notified = 0
  const waits = wallet?.initialised(undefined, () => {
    notified += 1
  })
  const connecting = page.evm.connect({ silent: true, signal: never })
  await page.pass(4_999)
  expect(notified).toBe(0)
  await page.pass(1)
  expect(notified).toBe(1)
  await page.pass(10_000)
  page.frame.ready()
  await page.pass(1_000)
  await waits
  expect((await connecting).accounts).toEqual([`eip155:1:${address}`])
  expect(page.place).not.toContain('reloaded')
})

/** Creates a page with a frame. On each load, the frame's URL serves the result of `serves`. */
function page(serves: () => 'frame' | 'nothing' | 'another site') {
  const clock = fakeClock()
  const frame = scriptedFrame({ user: 'ada@example.org', ready: false })
  const errors: string[] = []
  const stored = {
    '@latchkey/connection_status': 'connected',
    '@latchkey/active_caip_network_id': 'eip155:1',
    '@latchkey/active_namespace': 'eip155',
    '@latchkey/connected_namespaces': 'eip155',
    '@latchkey/eip155:connected_connector_id': 'ID_AUTH',
    '@latchkey/connections': JSON.stringify({
      eip155: [{ connectorId: 'ID_AUTH', accounts: [{ address }], caipNetwork: 'eip155:1' }],
    }),
    '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
  }
  const storage = memoryStorage(stored)
  let loads = 0
  const latchkey = createLatchkey({
    adapters: [fakeAdapter()],
    wallets: [
      embedded({
        url: 'https://keys.example',
        place({ loaded }) {
          const load = () => {
            loads += 1
            const served = serves()
            queueMicrotask(() => {
              if (served === 'frame') frame.ready()
              if (served !== 'nothing') loaded()
            })
          }
          load()
          return { transport: frame.transport, show() {}, hide() {}, reload: load, remove() {} }
        },
      }),
    ],
    clock,
    storage,
    logLevel: 'silent',
  })
  return { latchkey, clock, storage, stored, errors, loads: () => loads }
}

test.each(['another site', 'nothing'] as const)(
  'if the frame URL serves %s, the account stays visible and reconnects once the frame is back',
  async (served) => {
    let now: 'frame' | typeof served = served
    const { latchkey, clock, storage, stored } = page(() => now)
    latchkey.start()
    await latchkey.prepare()
    await clock.pass(10_000)
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', address, health: 'unknown' })
    await clock.pass(300_000)
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', address, health: 'unknown' })
    expect(storage.all()).toMatchObject(stored)
    now = 'frame'
    await clock.pass(120_000)
    expect(latchkey.account()).toMatchObject({ status: 'connected', address, health: 'ok' })
  },
)

test('a host can read an account’s type and the preferred type per chain family [R3.4]', async () => {
  const { latchkey, clock } = page(() => 'frame')
  latchkey.start()
  await latchkey.prepare()
  await clock.pass(10_000)
  const preferredAccountTypes = { eip155: 'smartAccount' }
  expect(latchkey.account()).toMatchObject({ status: 'connected', type: 'eoa', preferredAccountTypes })
})
