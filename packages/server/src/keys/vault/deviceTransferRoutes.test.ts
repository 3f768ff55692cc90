import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startKeys, type TestBrowser, type TestKeys } from '../../testing/keysServer.ts'

const minute = 60_000

let keysWithHold: TestKeys
beforeAll(async () => {
  keysWithHold = await startKeys({ policy: { deviceHoldMs: 24 * 60 * minute } })
}, 60_000)
afterAll(() => keysWithHold?.close())

test('a device that was unlocked with an emailed code can approve a new device only after a day, but a device that was unlocked with the owner’s key can do so immediately', async () => {
  const email = 'held@shop.example'
  const old = keysWithHold.browser()
  const signIn = async (browser: TestBrowser): Promise<void> => {
    keysWithHold.pass(minute)
    await browser.send('POST', '/vault/email', { email, again: true })
    await browser.send('POST', '/vault/email/code', { otp: keysWithHold.codeFor(email) })
  }
  const fresh = keysWithHold.browser()
  await signIn(old)
  await signIn(fresh)
  const ask = async (): Promise<{ id: string; heldUntil?: number }> =>
    (await fresh.send('POST', '/vault/transfers', { commitment: 'AAAA' })).body.transfer
  const offer = (id: string, more: object = {}): Promise<Answer> =>
    old.send('POST', `/vault/transfers/${id}/offer`, { value: 'dmFsdWU', ...more })

  const first = await ask()
  expect(first.heldUntil).toBeGreaterThan(0)
  expect((await old.send('GET', '/vault/transfers')).body.transfers).toMatchObject([{ heldUntil: first.heldUntil }])
  expect(keysWithHold.mails.filter(({ subject }) => subject === 'A new device wants to open your wallet')).toHaveLength(
    1,
  )
  for (const more of [{}, { openedWith: 'code' }]) {
    const answer = await offer(first.id, more)
    expect(answer).toMatchObject({ status: 403, body: { code: 'transfer/held' } })
    // The device has to wait for a day.
    expect(answer.body.seconds).toBeGreaterThan(23 * 60 * 60)
    expect(answer.body.seconds).toBeLessThanOrEqual(24 * 60 * 60)
  }
  expect((await offer(first.id, { openedWith: 'key' })).status).toBe(200)

  // A second request neither shortens the waiting period nor sends another email. A rejection restarts the waiting period.
  keysWithHold.pass(23 * 60 * minute)
  await signIn(fresh)
  const second = await ask()
  expect(second.heldUntil).toBe(first.heldUntil)
  expect((await offer(second.id)).body.code).toBe('transfer/held')
  await old.send('DELETE', `/vault/transfers/${second.id}`, {})
  keysWithHold.pass(2 * 60 * minute)
  await signIn(fresh)
  const third = await ask()
  expect((await offer(third.id)).body.code).toBe('transfer/held')
  keysWithHold.pass(24 * 60 * minute)
  await signIn(fresh)
  const last = await ask()
  expect(last.heldUntil).toBeUndefined()
  expect((await offer(last.id)).status).toBe(200)
  // A different browser, used by an attacker with access to the mailbox, has its own full waiting period.
  const attacker = keysWithHold.browser()
  await signIn(attacker)
  const { body } = await attacker.send('POST', '/vault/transfers', { commitment: 'AAAA' })
  expect((await offer(body.transfer.id)).body.code).toBe('transfer/held')
})

test('a signed-in browser cannot use up the transfers of the owner’s new device, and an account’s transfers are limited', async () => {
  const email = 'crowded@shop.example'
  const keys = await startKeys()
  let network = 0
  try {
    const signedIn = async (): Promise<TestBrowser> => {
      const browser = keys.browser(`198.51.${(network += 1)}.1`)
      await keys.signIn(browser, email)
      return browser
    }
    const ask = (browser: TestBrowser): Promise<Answer> =>
      browser.send('POST', '/vault/transfers', { commitment: 'AAAA' })
    const [attacker, owner] = [await signedIn(), await signedIn()]
    for (let n = 0; n < 10; n += 1) expect((await ask(attacker)).status).toBe(200)
    // A thief who deletes the browser cookie keeps the session, and its limit.
    for (const name of attacker.cookies.keys()) if (name.includes('browser')) attacker.cookies.delete(name)
    expect((await ask(attacker)).body.code).toBe('limit/reached')
    expect((await ask(owner)).status).toBe(200)
    for (let others = 0; others < 9; others += 1) {
      const other = await signedIn()
      for (let n = 0; n < 10; n += 1) await ask(other)
    }
    expect((await ask(owner)).body.code).toBe('limit/reached')
  } finally {
    await keys.close()
  }
})
