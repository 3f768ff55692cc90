import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, keysOrigin, startKeys, type TestBrowser, type TestKeys } from '../../testing/keysServer.ts'

let keys: TestKeys

beforeAll(async () => {
  keys = await startKeys({ policy: { approveDevices: () => true } })
}, 60_000)
afterAll(() => keys?.close())

const linkFor = (address: string): string => {
  const link = keys.mails.findLast(({ to }) => to === address)?.text.match(/https:\S+/)?.[0]
  if (!link) throw new Error(`No link was mailed to ${address}`)
  return link
}

/** Submits the form on the page behind a link, as a browser does when the user clicks the button. */
async function press(link: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const page = await (await keys.browser().visit(link)).text()
  const token = page.match(/name="token" value="([^"]+)"/)?.[1] ?? ''
  return keys.server(
    new Request(`${keysOrigin}/vault/approve`, {
      method: 'POST',
      headers: { origin: keysOrigin, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams({ token }),
    }),
  )
}

const wait = (browser: TestBrowser): Promise<Answer> => browser.send('POST', '/vault/email/device', {})

test('an unknown browser is approved through an emailed link, and receives only one code no matter how often it polls [R4.4]', async () => {
  const email = 'ada@shop.example'
  const browser = keys.browser()
  expect((await browser.send('POST', '/vault/email', { email })).body).toEqual({ action: 'VERIFY_DEVICE' })
  expect(keys.mails.at(-1)).toMatchObject({ to: email, subject: 'Approve a new browser' })
  const waiting = [wait(browser), wait(browser)]
  const page = await press(linkFor(email))
  expect(await page.text()).toContain('approved')
  expect((await Promise.all(waiting)).map(({ body }) => body)).toEqual([{ status: 'approved' }, { status: 'approved' }])
  expect((await wait(browser)).body).toEqual({ status: 'approved' })
  expect(keys.mails.filter(({ to, subject }) => to === email && subject === 'Your sign-in code')).toHaveLength(1)
  const { body } = await browser.send('POST', '/vault/email/code', { otp: keys.codeFor(email) })
  expect(body.user.email).toBe(email)

  // The browser has signed in to the account, so it is known and does not need to be approved again.
  await browser.send('POST', '/vault/devices', { userId: body.user.id, deviceId: 'd', name: 'D' })
  await browser.send('POST', '/vault/sign-out')
  keys.pass(31_000)
  expect((await browser.send('POST', '/vault/email', { email })).body).toEqual({ action: 'VERIFY_OTP' })
  expect((await keys.browser().send('POST', '/vault/email', { email })).body).toEqual({ action: 'VERIFY_DEVICE' })
})

test('opening the link does not approve the browser, because mail scanners follow links', async () => {
  const email = 'scanned@shop.example'
  const browser = keys.browser()
  await browser.send('POST', '/vault/email', { email })
  const page = await keys.browser().visit(linkFor(email))
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(await page.text()).toContain('Approve</button>')
  const waiting = wait(browser)
  await keys.browser().visit(linkFor(email))
  keys.pass(1000)
  keys.pass(26_000)
  expect((await waiting).body).toEqual({ status: 'waiting' })
  expect(keys.mails.filter(({ to }) => to === email)).toHaveLength(1)
})

test('a different site cannot submit the form', async () => {
  const email = 'pressed@shop.example'
  const browser = keys.browser()
  await browser.send('POST', '/vault/email', { email })
  for (const headers of [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[])
    expect((await press(linkFor(email), headers)).status).toBe(403)
  keys.pass(31_000)
  expect((await press(linkFor(email))).status).toBe(200)
})

test('a link expires after ten minutes, and an invalid link is rejected', async () => {
  const email = 'late@shop.example'
  const browser = keys.browser()
  await browser.send('POST', '/vault/email', { email })
  const link = linkFor(email)
  expect((await keys.browser().visit(link.replace(/.{4}$/, 'AAAA'))).status).toBe(410)
  keys.pass(10 * 60_000 + 1)
  expect((await keys.browser().visit(link)).status).toBe(410)
  expect((await wait(browser)).body.code).toBe('approval/expired')
  expect((await wait(keys.browser())).body.code).toBe('approval/expired')
})

test('a second link can be requested after 30 seconds [R5.4]', async () => {
  const browser = keys.browser()
  await browser.send('POST', '/vault/email', { email: 'again@shop.example' })
  expect((await browser.send('POST', '/vault/email', { email: 'again@shop.example' })).body.code).toBe(
    'email/throttled',
  )
  keys.pass(31_000)
  expect((await browser.send('POST', '/vault/email', { email: 'again@shop.example' })).body).toEqual({
    action: 'VERIFY_DEVICE',
  })
})

test('the email and the page it links to are in the language of the browser that requests them', async () => {
  const email = 'lea@shop.example'
  await keys.browser().send('POST', '/vault/email', { email }, { 'accept-language': 'fr-CH, de;q=0.8' })
  expect(keys.mails.at(-1)?.subject).toBe('Approuvez un nouveau navigateur')
  const page = await keys.server(new Request(linkFor(email), { headers: { 'accept-language': 'ar' } }))
  const text = await page.text()
  expect(text).toContain('<html lang="ar" dir="rtl">')
  expect(text).toContain('هل تسجّل الدخول الآن؟')
  const expired = await keys.server(
    new Request(linkFor(email).replace(/.{4}$/, 'AAAA'), { headers: { 'accept-language': 'de' } }),
  )
  expect(await expired.text()).toContain('Dieser Link ist abgelaufen')
})
