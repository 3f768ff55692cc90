import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKeys, type TestKeys, temporaryConnection } from '../testing/keys.ts'

let keys: TestKeys

beforeAll(async () => {
  keys = await startKeys({ connection: await temporaryConnection() })
}, 60_000)
afterAll(() => keys?.close())

test('a mailed code signs in, and the account is there the next time [R4.4]', async () => {
  const browser = keys.browser()
  expect((await browser.send('GET', '/vault/me')).body).toMatchObject({ code: 'session/none' })
  expect((await browser.send('POST', '/vault/email', { email: 'Ada@shop.example' })).body).toEqual({
    action: 'VERIFY_OTP',
  })
  const [mail] = keys.mails
  expect(mail?.to).toBe('ada@shop.example')
  expect(mail?.html).toContain(keys.codeFor('ada@shop.example'))
  expect(mail?.subject).not.toContain(keys.codeFor('ada@shop.example'))
  const signedIn = await browser.send('POST', '/vault/email/code', { otp: keys.codeFor('ada@shop.example') })
  expect(signedIn).toMatchObject({ status: 200, body: { user: { email: 'ada@shop.example' } } })
  const me = await browser.send('GET', '/vault/me')
  expect(me.body).toMatchObject({ user: signedIn.body.user, record: null, devices: [], passkeys: [] })
  expect((await browser.send('POST', '/vault/email', { email: 'ada@shop.example' })).body).toEqual({
    action: 'CONNECT',
  })

  const again = await keys.signIn(keys.browser(), 'ada@shop.example')
  expect(again.id).toBe(signedIn.body.user.id)
})
