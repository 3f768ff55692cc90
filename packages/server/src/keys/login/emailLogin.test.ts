import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '../../storage/databaseConnection.ts'
import {
  keysOrigin,
  startKeys,
  type TestBrowser,
  type TestKeys,
  temporaryConnection,
} from '../../testing/keysServer.ts'

let connection: Connection
let keys: TestKeys

beforeAll(async () => {
  connection = await temporaryConnection()
  keys = await startKeys({ connection })
}, 60_000)
afterAll(() => keys?.close())

const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

async function requestCode(email: string, address?: string): Promise<TestBrowser> {
  const browser = keys.browser(address)
  const { body } = await browser.send('POST', '/vault/email', { email })
  expect(body).toEqual({ action: 'VERIFY_OTP' })
  return browser
}

describe('sign-in by email', () => {
  test('an emailed code creates an account, and a later code signs in to the same account [R4.4] [R1.2]', async () => {
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

  test('a signed-in user who enters a different address receives a code and is not signed in automatically [R4.4] [R5.4]', async () => {
    const browser = keys.browser()
    await keys.signIn(browser, 'first@shop.example')
    expect((await browser.send('POST', '/vault/email', { email: 'other@shop.example' })).body).toEqual({
      action: 'VERIFY_OTP',
    })
    const { body } = await browser.send('POST', '/vault/email/code', { otp: keys.codeFor('other@shop.example') })
    expect(body.user.email).toBe('other@shop.example')
  })

  test('sets cookies that are Secure, HttpOnly and bound to the host', async () => {
    const browser = await requestCode('cookie@shop.example')
    const answer = await browser.send('POST', '/vault/email/code', { otp: keys.codeFor('cookie@shop.example') })
    const lines = answer.headers.getSetCookie()
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      expect(line).toMatch(/^__Host-latchkey\.(session|browser|flow)=/)
      expect(line).toMatch(/; HttpOnly/i)
      expect(line).toMatch(/; SameSite=Lax/i)
      expect(line).toMatch(/; Secure/i)
      expect(line).toMatch(/; Path=\/(;|$)/i)
      expect(line).not.toMatch(/; Domain/i)
    }
  })

  test('a session ends when it expires or when the user signs out', async () => {
    const browser = keys.browser()
    await keys.signIn(browser, 'ends@shop.example')
    const stolen = new Map(browser.cookies)
    expect((await browser.send('POST', '/vault/sign-out')).status).toBe(200)
    expect((await browser.send('GET', '/vault/me')).body.code).toBe('session/none')
    const attacker = keys.browser()
    for (const [name, value] of stolen) attacker.cookies.set(name, value)
    expect((await attacker.send('GET', '/vault/me')).body.code).toBe('session/none')
    expect((await browser.send('POST', '/vault/sign-out')).status).toBe(200)

    keys.pass(31_000)
    await keys.signIn(browser, 'ends@shop.example')
    keys.pass(7 * 24 * 60 * 60_000)
    expect((await browser.send('GET', '/vault/me')).body.code).toBe('session/none')
  })

  test('rejects a tampered session cookie', async () => {
    const browser = keys.browser()
    await keys.signIn(browser, 'forged@shop.example')
    const name = '__Host-latchkey.session'
    const value = decodeURIComponent(browser.cookies.get(name) ?? '')
    for (const forged of [
      value.replace(/^./, (sign) => (sign === 'a' ? 'b' : 'a')),
      value.split('.')[0] ?? '',
      `${value}a`,
    ]) {
      browser.cookies.set(name, encodeURIComponent(forged))
      expect((await browser.send('GET', '/vault/me')).body.code).toBe('session/none')
    }
    browser.cookies.set(name, encodeURIComponent(value))
    expect((await browser.send('GET', '/vault/me')).status).toBe(200)
  })
})

describe('sign-in codes under attack', () => {
  test('a code allows only five tries, even if they are concurrent [R1.2]', async () => {
    const browser = await requestCode('tries@shop.example')
    const otp = keys.codeFor('tries@shop.example')
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => browser.send('POST', '/vault/email/code', { otp: wrong(otp) })),
    )
    expect(guesses.filter(({ body }) => body.code === 'code/wrong')).toHaveLength(5)
    expect(guesses.filter(({ body }) => body.code === 'code/expired')).toHaveLength(7)
    expect(guesses.flatMap(({ body }) => body.triesLeft ?? []).sort()).toEqual([0, 1, 2, 3, 4])
    expect((await browser.send('POST', '/vault/email/code', { otp })).body.code).toBe('code/expired')
  })

  test('a correct code signs in only once, even if it is sent several times concurrently [R1.2]', async () => {
    const browser = await requestCode('once@shop.example')
    const otp = keys.codeFor('once@shop.example')
    const answers = await Promise.all([1, 2, 3].map(() => browser.send('POST', '/vault/email/code', { otp })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
    expect((await browser.send('POST', '/vault/email/code', { otp })).body.code).toBe('code/expired')
  })

  test('a code expires after ten minutes and not earlier [R1.2]', async () => {
    const early = await requestCode('early@shop.example')
    // The test's clock also includes the real time that the requests take.
    keys.pass(9.5 * 60_000)
    const code = keys.codeFor('early@shop.example')
    expect((await early.send('POST', '/vault/email/code', { otp: code })).status).toBe(200)
    const browser = await requestCode('old@shop.example')
    const otp = keys.codeFor('old@shop.example')
    keys.pass(10 * 60_000 + 1)
    expect((await browser.send('POST', '/vault/email/code', { otp })).body.code).toBe('code/expired')
  })

  test('a code works only in the frame session that requested it [R1.2]', async () => {
    const owner = await requestCode('bound@shop.example')
    const otp = keys.codeFor('bound@shop.example')
    const attacker = keys.browser()
    expect((await attacker.send('POST', '/vault/email/code', { otp })).body.code).toBe('code/expired')
    // The code does not work in another session either, even if that session also requested a code for this address.
    await attacker.send('POST', '/vault/email', { email: 'bound@shop.example' })
    const victimCode = keys.codeFor('bound@shop.example')
    if (victimCode !== otp)
      expect((await attacker.send('POST', '/vault/email/code', { otp })).body.code).toBe('code/wrong')
    expect((await owner.send('POST', '/vault/email/code', { otp })).status).toBe(200)
  })

  test('a new code replaces the previous one [R1.2]', async () => {
    const browser = await requestCode('replaced@shop.example')
    const first = keys.codeFor('replaced@shop.example')
    keys.pass(31_000)
    await browser.send('POST', '/vault/email', { email: 'replaced@shop.example' })
    const second = keys.codeFor('replaced@shop.example')
    if (first !== second)
      expect((await browser.send('POST', '/vault/email/code', { otp: first })).body.code).toBe('code/wrong')
    expect((await browser.send('POST', '/vault/email/code', { otp: second })).status).toBe(200)
  })

  test('a new code can be requested after 30 seconds, and earlier requests return the remaining time [R5.4]', async () => {
    const browser = await requestCode('resend@shop.example')
    keys.pass(20_000)
    const sent = keys.mails.length
    const early = await browser.send('POST', '/vault/email', { email: 'resend@shop.example' })
    expect(early).toMatchObject({ status: 429, body: { code: 'email/throttled' } })
    expect(early.body.seconds).toBeGreaterThan(5)
    expect(early.body.seconds).toBeLessThanOrEqual(10)
    expect(early.headers.get('retry-after')).toBe(String(early.body.seconds))
    expect(keys.mails).toHaveLength(sent)
    // Using up the tries does not shorten the cooldown.
    for (let n = 0; n < 6; n += 1)
      await browser.send('POST', '/vault/email/code', { otp: wrong(keys.codeFor('resend@shop.example')) })
    expect((await browser.send('POST', '/vault/email', { email: 'resend@shop.example' })).status).toBe(429)
    keys.pass(11_000)
    expect((await browser.send('POST', '/vault/email', { email: 'resend@shop.example' })).status).toBe(200)
  })

  test('an email that the mail server rejects does not start the cooldown [R5.4]', async () => {
    let isDown = true
    const sent: string[] = []
    const shaky = await startKeys({
      connection,
      mailer: {
        async send({ to }) {
          if (isDown) throw new Error('The mail server is down')
          sent.push(to)
        },
        close: async () => {},
      },
    })
    const browser = shaky.browser('192.0.2.78')
    const email = 'shaky@shop.example'
    expect((await browser.send('POST', '/vault/email', { email })).body.code).toBe('mail/failed')
    isDown = false
    expect((await browser.send('POST', '/vault/email', { email })).status).toBe(200)
    expect(await browser.send('POST', '/vault/email', { email })).toMatchObject({
      status: 429,
      body: { code: 'email/throttled', message: expect.stringMatching(/^Please try again after (29|30) seconds$/) },
    })
    expect(sent).toEqual([email])
  })

  test('a mailbox receives at most twelve emails in ten minutes, and one address block can request at most four of them', async () => {
    let last = 0
    const ask = (network: number) =>
      keys.browser(`198.${network}.100.${(last += 1)}`).send('POST', '/vault/email', { email: 'FLOOD@shop.example' })
    const mails = () => keys.mails.filter(({ to }) => to === 'flood@shop.example').length
    for (let n = 0; n < 8; n += 1) await ask(1)
    expect(mails()).toBe(4)
    for (let n = 0; n < 40; n += 1) await ask(n % 8)
    expect(mails()).toBe(12)
    expect(await ask(99)).toMatchObject({ status: 429, body: { code: 'limit/reached' } })
    keys.pass(10 * 60_000)
    expect((await ask(99)).status).toBe(200)
  })

  test('all spellings of a domain map to the same mailbox, with one account and one set of limits', async () => {
    const spellings = [
      'bakery',
      'ｂakery',
      'bａkery',
      'BA\u{1d424}ery',
      'bak\u00adery',
      'bakerｙ',
      '\u{1d41b}akery',
      'ba\u200bkery',
    ]
    let last = 0
    for (const spelling of [...spellings, ...spellings])
      await keys.browser(`198.${(last += 1)}.77.1`).send('POST', '/vault/email', { email: `Ann@${spelling}.example` })
    expect(keys.mails.filter(({ to }) => to === 'ann@bakery.example')).toHaveLength(12)
    const ids: string[] = []
    for (const email of ['bob@bäckerei.example', 'bob@xn--bckerei-5wa.example', 'bob@ＢÄckerei.example']) {
      const browser = keys.browser()
      await browser.send('POST', '/vault/email', { email })
      const otp = keys.codeFor('bob@xn--bckerei-5wa.example')
      ids.push((await browser.send('POST', '/vault/email/code', { otp })).body.user.id)
    }
    expect(ids).toEqual([ids[0], ids[0], ids[0]])
  })

  test.each([
    'mail.example.',
    '[127.0.0.1]',
    '127.0.0.1',
    '0x7f.1',
    'mail.example?a.b',
    'mail.example:25.x',
    'xn--.example',
    'mail%2eexample.x',
  ])('rejects an email address at "%s"', async (domain) => {
    const sent = keys.mails.length
    expect(await keys.browser().send('POST', '/vault/email', { email: `ann@${domain}` })).toMatchObject({
      status: 400,
      body: { code: 'email/invalid' },
    })
    expect(keys.mails).toHaveLength(sent)
  })

  test.each([
    ['becomes too long in lower case', `${'İ'.repeat(200)}@shop.example`],
    ['becomes too long in Punycode', `ann@${'ü.'.repeat(100)}example`],
  ])('rejects an email address that %s', async (_, email) => {
    const sent = keys.mails.length
    expect(await keys.browser().send('POST', '/vault/email', { email })).toMatchObject({
      status: 400,
      body: { code: 'email/invalid' },
    })
    expect(keys.mails).toHaveLength(sent)
  })

  test('an IPv6 /56 can request four times as many emails as a single network, and a /48 eight times as many', async () => {
    let last = 0
    const mailed = async (count: number, address: (n: number) => string): Promise<number> => {
      let all = 0
      for (let n = 0; n < count; n += 1) {
        const email = `wide${(last += 1)}@shop.example`
        if ((await keys.browser(address(n)).send('POST', '/vault/email', { email })).status === 200) all += 1
      }
      return all
    }
    expect(await mailed(130, (n) => `2001:db8:88:${(n % 100).toString(16)}::1`)).toBe(120)
    expect(await mailed(250, (n) => `2001:db8:99:${(n % 200).toString(16)}00::1`)).toBe(240)
  })

  test('a network can request thirty emails in ten minutes, and an IPv6 /64 counts as one network', async () => {
    const send = (n: number, address: string) =>
      keys.browser(address).send('POST', '/vault/email', { email: `net${n}@shop.example` })
    for (let n = 0; n < 30; n += 1) expect((await send(n, `2001:db8:1:2:${n}::1`)).status).toBe(200)
    expect((await send(30, '2001:db8:1:2:ffff::9')).body.code).toBe('limit/reached')
    expect((await send(31, '2001:db8:1:3::1')).status).toBe(200)
  })

  test('limits the total number of emails', async () => {
    const small = await startKeys({ connection, policy: { mailsPerHour: 3 } })
    // Skip the current window, which the other tests in this file have already used up.
    small.pass(30 * 24 * 60 * 60_000)
    for (let n = 0; n < 3; n += 1)
      expect(
        (await small.browser(`192.0.${n}.2`).send('POST', '/vault/email', { email: `all${n}@shop.example` })).status,
      ).toBe(200)
    expect(
      (await small.browser('192.0.2.9').send('POST', '/vault/email', { email: 'all9@shop.example' })).body.code,
    ).toBe('limit/reached')
    keys.pass(31 * 24 * 60 * 60_000)
  })

  test('one address block cannot use up the global email limit', async () => {
    const small = await startKeys({ connection, policy: { mailsPerHour: 20 } })
    small.pass(60 * 24 * 60 * 60_000)
    let last = 0
    const ask = (address: string) =>
      small.browser(address).send('POST', '/vault/email', { email: `block${(last += 1)}@shop.example` })
    let mailed = 0
    for (let n = 0; n < 30; n += 1) if ((await ask(`2001:db8:77:${n.toString(16)}00::1`)).status === 200) mailed += 1
    expect(mailed).toBe(10)
    expect((await ask('192.0.2.77')).status).toBe(200)
    keys.pass(61 * 24 * 60 * 60_000)
  })

  test('responses do not reveal whether an account exists', async () => {
    await keys.signIn(keys.browser(), 'member@shop.example')
    const shape = async (email: string) => {
      const browser = keys.browser()
      const first = await browser.send('POST', '/vault/email', { email })
      const soon = await browser.send('POST', '/vault/email', { email })
      const bad = await browser.send('POST', '/vault/email/code', { otp: wrong(keys.codeFor(email)) })
      return [first, soon, bad].map(({ status, body, headers }) => ({
        status,
        body: { ...body, seconds: undefined, message: body.message?.replace(/\d+/, 'N') },
        headers: [...headers.keys()].sort(),
      }))
    }
    expect(await shape('member@shop.example')).toEqual(await shape('nobody@shop.example'))
    const mails = ['member@shop.example', 'nobody@shop.example'].map((email) => {
      const { text, subject } = keys.mails.findLast(({ to }) => to === email) ?? { text: '', subject: '' }
      return { subject, text: text.replace(/\d{6}/, 'N') }
    })
    expect(mails[0]).toEqual(mails[1])
  })

  test('never stores codes or tokens in the database, and never logs addresses or codes', async () => {
    const browser = await requestCode('stored@shop.example')
    const otp = keys.codeFor('stored@shop.example')
    const rows = await connection.use(async (database) => {
      const { pendingSteps } = await import('../../storage/verificationSchema.ts')
      return database.select().from(pendingSteps)
    })
    const stored = JSON.stringify(rows)
    expect(stored).toContain('stored@shop.example')
    expect(stored).not.toContain(otp)
    for (const value of browser.cookies.values()) expect(stored).not.toContain(value)
    await browser.send('POST', '/vault/email/code', { otp: wrong(otp) })
    expect(keys.log.length).toBeGreaterThan(50)
    expect(keys.log.join('\n')).not.toMatch(/shop\.example|\b\d{6}\b|203\.0\.113/)
  })

  test('returns an error and logs no address if the mail server is down', async () => {
    const broken = await startKeys({
      connection,
      mailer: {
        send: async () => {
          throw new Error('ada@shop.example is unknown here')
        },
        close: async () => {},
      },
    })
    const answer = await broken.browser('192.0.2.77').send('POST', '/vault/email', { email: 'away@shop.example' })
    expect(answer).toMatchObject({ status: 503, body: { code: 'mail/failed' } })
    expect(broken.log.join('\n')).not.toContain('shop.example')
  })

  test.each([{}, { email: 'no address' }, { email: 7 }, [], 'text', null])(
    'rejects %j as an invalid email address',
    async (body) => {
      const answer = await keys.browser().send('POST', '/vault/email', body)
      expect(answer.status).toBe(400)
      expect(answer.body.code).toMatch(/^(email|input)\/invalid$/)
    },
  )
})

describe('requests from other origins', () => {
  const body = { email: 'door@shop.example' }
  test.each([
    ['a request from a different origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [
      'a request from the host page, which is same-site',
      { origin: 'https://shop.example', 'sec-fetch-site': 'same-site' },
    ],
    ['a request with only an Origin header', { origin: 'https://shop.example' }],
    ['a request from a sandboxed frame', { origin: 'null' }],
    ['a request without an initiator', { 'sec-fetch-site': 'none' }],
    [
      'a request from the same host on a different port',
      { origin: 'https://keys.shop.example:8443', 'sec-fetch-site': 'same-site' },
    ],
    ['a request from the same host over HTTP', { origin: 'http://keys.shop.example', 'sec-fetch-site': 'cross-site' }],
  ])('rejects %s and sends no email', async (_, headers) => {
    const sent = keys.mails.length
    const answer = await keys.browser().send('POST', '/vault/email', body, headers)
    expect(answer).toMatchObject({ status: 403, body: { code: 'origin/refused' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(keys.mails).toHaveLength(sent)
  })

  test('rejects a request without Sec-Fetch-Site, even if it only reads data', async () => {
    for (const [method, path] of [
      ['POST', '/vault/email'],
      ['GET', '/vault/me'],
      ['GET', '/vault/config'],
    ] as const) {
      const answer = await keys.server(
        new Request(keysOrigin + path, {
          method,
          headers: { origin: keysOrigin, 'content-type': 'application/json' },
          ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
        }),
      )
      expect(answer.status).toBe(403)
    }
    const noOrigin = await keys.server(
      new Request(`${keysOrigin}/vault/sign-out`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } }),
    )
    expect(noOrigin.status).toBe(403)
  })

  test('rejects a form post, because forms cannot send JSON', async () => {
    const answer = await keys.browser().send('POST', '/vault/email', body, { 'content-type': 'text/plain' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'input/invalid' } })
  })

  test('rejects a preflight request from a different origin', async () => {
    const answer = await keys.server(
      new Request(`${keysOrigin}/vault/email`, {
        method: 'OPTIONS',
        headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
      }),
    )
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.status).toBe(403)
  })
})
