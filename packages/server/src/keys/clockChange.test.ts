import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connection } from '../storage/databaseConnection.ts'
import { startKeys, type TestKeys, temporaryConnection } from '../testing/keysServer.ts'

const minute = 60_000
const hour = 60 * minute
let connection: Connection
let keys: TestKeys

beforeAll(async () => {
  connection = await temporaryConnection()
}, 120_000)
afterAll(() => connection?.close())
beforeEach(async () => {
  keys = await startKeys({ connection })
})

describe('server clock changes', { timeout: 120_000 }, () => {
  test('setting the clock back by a minute leaves sessions, codes and recent sign-ins valid', async () => {
    const signedIn = keys.browser()
    const { id } = await keys.signIn(signedIn, 'ada@shop.example')
    const waiting = keys.browser('198.51.100.1')
    await waiting.send('POST', '/vault/email', { email: 'bob@shop.example' })
    keys.pass(-minute)
    expect((await signedIn.send('GET', '/vault/me')).status).toBe(200)
    expect((await signedIn.send('POST', '/vault/devices', { userId: id, deviceId: 'd', name: 'D' })).status).toBe(200)
    const otp = keys.codeFor('bob@shop.example')
    expect((await waiting.send('POST', '/vault/email/code', { otp })).status).toBe(200)
  })

  test('setting the clock forward by an hour leaves sessions valid, but codes and recent sign-ins have to be renewed', async () => {
    const signedIn = keys.browser('198.51.100.2')
    const { id } = await keys.signIn(signedIn, 'carol@shop.example')
    const waiting = keys.browser('198.51.100.3')
    await waiting.send('POST', '/vault/email', { email: 'dave@shop.example' })
    keys.pass(hour)
    expect((await signedIn.send('GET', '/vault/me')).status).toBe(200)
    const device = { userId: id, deviceId: 'd', name: 'D' }
    expect((await signedIn.send('POST', '/vault/devices', device)).body.code).toBe('session/stale')
    const otp = keys.codeFor('dave@shop.example')
    expect((await waiting.send('POST', '/vault/email/code', { otp })).body.code).toBe('code/expired')
    await keys.signIn(waiting, 'dave@shop.example')
  })

  test('after the clock is set back by an hour, codes still expire in time, sessions from the future are not treated as recent, and no cooldown gets longer', async () => {
    const email = 'eve@shop.example'
    keys.pass(hour)
    const signedIn = keys.browser('198.51.100.4')
    const { id } = await keys.signIn(signedIn, email)
    const waiting = keys.browser('198.51.100.5')
    await waiting.send('POST', '/vault/email', { email })
    const otp = keys.codeFor(email)
    keys.pass(-hour)
    expect((await signedIn.send('GET', '/vault/me')).status).toBe(200)
    const device = { userId: id, deviceId: 'd', name: 'D' }
    expect((await signedIn.send('POST', '/vault/devices', device)).body.code).toBe('session/stale')
    expect((await waiting.send('POST', '/vault/email/code', { otp })).body.code).toBe('code/expired')
    expect((await waiting.send('POST', '/vault/email', { email })).body).toEqual({ action: 'VERIFY_OTP' })
    expect((await waiting.send('POST', '/vault/email/code', { otp: keys.codeFor(email) })).status).toBe(200)
  })

  test('after the clock is set back by a day, a rate limit still lasts no longer than one window', async () => {
    const email = 'flood@shop.example'
    const stranger = () => keys.browser('198.51.100.6').send('POST', '/vault/email', { email })
    keys.pass(24 * hour)
    for (let n = 0; n < 5; n += 1) await stranger()
    keys.pass(-24 * hour)
    const refused = await stranger()
    expect(refused.body.code).toBe('limit/reached')
    expect(refused.body.seconds).toBeLessThanOrEqual(600)
    keys.pass(10 * minute + 1000)
    expect((await stranger()).status).toBe(200)
  })
})
