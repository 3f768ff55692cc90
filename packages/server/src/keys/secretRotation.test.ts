import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '../storage/databaseConnection.ts'
import { startKeys, type TestBrowser, type TestKeys, temporaryConnection } from '../testing/keysServer.ts'

const [old, next] = ['an old secret of thirty-two characters', 'a new secret of thirty-two characters!']
let connection: Connection

beforeAll(async () => {
  connection = await temporaryConnection()
}, 60_000)
afterAll(() => connection?.close())

/** Returns a copy of the browser that is connected to a different instance. */
function at(keys: TestKeys, browser: TestBrowser): TestBrowser {
  const moved = keys.browser()
  for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
  return moved
}

describe('secret rotation', { timeout: 120_000 }, () => {
  test('rotation keeps all users signed in while the old secret is still accepted, whichever instance rotates first', async () => {
    const before = await startKeys({ connection, secrets: [old] })
    const browser = before.browser()
    await before.signIn(browser, 'ada@shop.example')
    for (const secrets of [
      [old, next],
      [next, old],
    ]) {
      const keys = await startKeys({ connection, secrets })
      expect((await at(keys, browser).send('GET', '/vault/me')).status).toBe(200)
    }
    // During a rolling restart, the instances sign with different secrets.
    const [first, second] = [
      await startKeys({ connection, secrets: [next, old] }),
      await startKeys({ connection, secrets: [old, next] }),
    ]
    const fresh = first.browser()
    await first.signIn(fresh, 'bob@shop.example')
    expect((await at(second, fresh).send('GET', '/vault/me')).body.user.email).toBe('bob@shop.example')
  })

  test('a session that was signed with the old secret can be ended after the rotation', async () => {
    const before = await startKeys({ connection, secrets: [old] })
    const browser = before.browser()
    await before.signIn(browser, 'ends@shop.example')
    const keys = await startKeys({ connection, secrets: [next, old] })
    expect((await at(keys, browser).send('POST', '/vault/sign-out')).status).toBe(200)
    expect((await at(keys, browser).send('GET', '/vault/me')).body.code).toBe('session/none')
    expect((await at(before, browser).send('GET', '/vault/me')).body.code).toBe('session/none')
  })

  test('a code that was emailed before the rotation is still accepted', async () => {
    const before = await startKeys({ connection, secrets: [old] })
    const browser = before.browser()
    await browser.send('POST', '/vault/email', { email: 'code@shop.example' })
    const keys = await startKeys({ connection, secrets: [next, old] })
    const answer = await at(keys, browser).send('POST', '/vault/email/code', {
      otp: before.codeFor('code@shop.example'),
    })
    expect(answer.status).toBe(200)
  })

  test('removing the old secret ends sessions but does not lose any wallet, because a device gets the same server half after signing in again', async () => {
    const before = await startKeys({ connection, secrets: [old] })
    const browser = before.browser()
    const { id } = await before.signIn(browser, 'wallet@shop.example')
    const device = { userId: id, deviceId: 'home', name: 'Home' }
    const { serverHalf } = (await browser.send('POST', '/vault/devices', device)).body
    await browser.send('PUT', '/vault/record', { userId: id, record: '{"sealed":1}', expectedVersion: 0 })

    const keys = await startKeys({ connection, secrets: [next] })
    keys.pass(31_000)
    const moved = at(keys, browser)
    expect((await moved.send('GET', '/vault/me')).body.code).toBe('session/none')
    await keys.signIn(moved, 'wallet@shop.example')
    expect((await moved.send('POST', '/vault/devices/home/half')).body).toEqual({ serverHalf })
    expect((await moved.send('GET', '/vault/me')).body.record).toMatchObject({ record: '{"sealed":1}', version: 1 })
  })

  test('a cookie that was signed with neither secret is rejected', async () => {
    const keys = await startKeys({ connection, secrets: [next, old] })
    const attacker = keys.browser()
    for (const value of ['token.c2ln', 'token.', '.sig', '%', encodeURIComponent(`x.${'A'.repeat(43)}=`)]) {
      attacker.cookies.set('__Host-latchkey.session', value)
      expect((await attacker.send('GET', '/vault/me')).body.code).toBe('session/none')
    }
  })
})
