import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connection } from '../../storage/databaseConnection.ts'
import {
  type Answer,
  startKeys,
  type TestBrowser,
  type TestKeys,
  temporaryConnection,
} from '../../testing/keysServer.ts'

const day = 24 * 60 * 60_000
let connection: Connection
let keys: TestKeys
let passed = 0
let network = 0

beforeAll(async () => {
  connection = await temporaryConnection()
}, 60_000)
afterAll(() => connection?.close())

// Before each test, the clock advances so that the counters of the previous test expire.
beforeEach(async () => {
  passed += 3 * day
  keys = await startKeys({ connection })
  keys.pass(passed)
})

function pass(ms: number): void {
  passed += ms
  keys.pass(ms)
}

const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const stranger = (): TestBrowser => keys.browser(`198.${18 + ((network += 1) >> 8)}.${network & 255}.1`)
const ask = (browser: TestBrowser, email: string): Promise<Answer> => browser.send('POST', '/vault/email', { email })
const type = (browser: TestBrowser, otp: string): Promise<Answer> => browser.send('POST', '/vault/email/code', { otp })

/** Signs in and out again. Resolves to the browser, which is registered as a device of the account if `device` is set. */
async function ownerOf(email: string, { device = false } = {}): Promise<TestBrowser> {
  const browser = keys.browser('203.0.113.50')
  const { id } = await keys.signIn(browser, email)
  if (device) await browser.send('POST', '/vault/devices', { userId: id, deviceId: 'home', name: 'Home' })
  await browser.send('POST', '/vault/sign-out')
  return browser
}

/** Sends wrong codes from unknown browsers, each on a new network. Resolves to the number of codes that were compared. */
async function guessAll(email: string, mails: number): Promise<number> {
  let compared = 0
  for (let n = 0; n < mails; n += 1) {
    const browser = stranger()
    const { body } = await ask(browser, email)
    if (body.action === 'VERIFY_OTP') {
      const otp = wrong(keys.codeFor(email))
      for (let guess = 0; guess < 8; guess += 1)
        if ((await type(browser, otp)).body.code === 'code/wrong') compared += 1
    }
    if (n % 10 === 9) pass(10 * 60_000)
  }
  return compared
}

/**
 * Starts an instance on the same database that sends at most `mailsPerHour` emails. Resolves to the owner's browser on that
 * instance.
 */
async function small(mailsPerHour: number, owner: TestBrowser): Promise<TestBrowser> {
  keys = await startKeys({ connection, policy: { mailsPerHour } })
  keys.pass(passed)
  return moved(owner, '203.0.113.50')
}

/** Returns the same browser on a different network, connected to the current instance. */
function moved(browser: TestBrowser, address = `192.0.2.${(network += 1) & 255}`): TestBrowser {
  const other = keys.browser(address)
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  return other
}

/** Resolves to browsers on separate networks that have signed in to this mailbox's account and signed out again. */
async function knownTo(email: string, many: number): Promise<readonly TestBrowser[]> {
  const browsers: TestBrowser[] = []
  for (let n = 0; n < many; n += 1) {
    const browser = stranger()
    await keys.signIn(browser, email)
    await browser.send('POST', '/vault/sign-out')
    browsers.push(browser)
    pass(60_000)
  }
  pass(10 * 60_000)
  return browsers
}

/** Resolves to the number of emails sent when each of these browsers makes five requests within three minutes. */
async function mailed(attempts: readonly (readonly [TestBrowser, string])[]): Promise<number> {
  const before = keys.mails.length
  for (let round = 0; round < 5; round += 1) {
    for (const [browser, email] of attempts) await ask(browser, email)
    pass(31_000)
  }
  return keys.mails.length - before
}

/** Approves a browser through the link in the latest email. */
async function follow(email: string): Promise<void> {
  const token = keys.mails.findLast(({ to }) => to === email)?.text.match(/token=([\w-]+)/)?.[1] ?? ''
  await keys.server(
    new Request('https://keys.shop.example/vault/approve', {
      method: 'POST',
      headers: {
        origin: 'https://keys.shop.example',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token }),
    }),
  )
}

describe('sign-in under attack', { timeout: 120_000 }, () => {
  test.each([
    ['one of the account’s devices', true],
    ['a browser that has signed in before', false],
  ])(
    '%s can sign in no matter how many emails unknown browsers request and how many codes they guess',
    async (_, device) => {
      const email = `target-${device}@shop.example`
      const owner = await ownerOf(email, { device })
      await guessAll(email, 24)
      expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
      expect((await type(owner, wrong(keys.codeFor(email)))).body.code).toBe('code/wrong')
      expect((await type(owner, keys.codeFor(email))).status).toBe(200)
    },
  )

  test('guesses at a used, expired or missing code do not count against any account', async () => {
    const email = 'spent@shop.example'
    const attacker = stranger()
    await ask(attacker, email)
    const otp = wrong(keys.codeFor(email))
    for (let n = 0; n < 60; n += 1) await type(attacker, otp)
    pass(10 * 60_000 + 1)
    for (let n = 0; n < 60; n += 1) await type(attacker, otp)
    const owner = keys.browser('203.0.113.51')
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
    expect((await type(owner, keys.codeFor(email))).status).toBe(200)
  })

  test('if no code is pending, guesses are limited only per network', async () => {
    const [attacker, neighbor] = [stranger(), keys.browser('203.0.113.52')]
    let answer = await type(attacker, '000000')
    for (let n = 0; n < 100; n += 1) answer = await type(attacker, '000000')
    expect(answer.body.code).toBe('limit/reached')
    expect((await type(neighbor, '000000')).body.code).toBe('code/expired')
  })

  test('after unknown browsers have guessed codes, the owner can still sign in on a new browser through an emailed link', async () => {
    const email = 'new-browser@shop.example'
    await ownerOf(email)
    expect(await guessAll(email, 10)).toBe(10)
    pass(10 * 60_000)
    const browser = keys.browser('203.0.113.53')
    expect((await ask(browser, email)).body).toEqual({ action: 'VERIFY_DEVICE' })
    await follow(email)
    expect((await browser.send('POST', '/vault/email/device')).body).toEqual({ status: 'approved' })
    expect((await type(browser, keys.codeFor(email))).status).toBe(200)
  })

  test('unknown browsers can guess at most ten codes a day per mailbox, even if they guess concurrently', async () => {
    const email = 'raced@shop.example'
    const attackers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const attacker = stranger()
        await ask(attacker, email)
        return { attacker, otp: wrong(keys.codeFor(email)) }
      }),
    )
    const answers = await Promise.all(
      attackers.flatMap(({ attacker, otp }) => Array.from({ length: 6 }, () => type(attacker, otp))),
    )
    expect(answers.filter(({ body }) => body.code === 'code/wrong')).toHaveLength(10)
    expect(await guessAll(email, 20)).toBe(0)
    pass(day)
    expect(await guessAll(email, 5)).toBe(10)
  })

  test('unknown browsers share a daily guess limit across all mailboxes, and owners can still sign in after it is reached', async () => {
    const email = 'bystander@shop.example'
    const owner = await small(40, await ownerOf(email))
    pass(60_000)
    let compared = 0
    for (let n = 0; n < 8; n += 1) compared += await guessAll(`spread${n}@shop.example`, 1)
    expect(compared).toBe(20)
    expect((await ask(stranger(), 'anybody@shop.example')).body).toEqual({ action: 'VERIFY_DEVICE' })
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
    expect((await type(owner, keys.codeFor(email))).status).toBe(200)
  })

  test('correct codes do not count against any limit', async () => {
    const email = 'often@shop.example'
    for (let n = 0; n < 15; n += 1) {
      const browser = stranger()
      expect((await ask(browser, email)).body).toEqual({ action: 'VERIFY_OTP' })
      expect((await type(browser, keys.codeFor(email))).status).toBe(200)
      pass(60_000)
    }
  })

  test('the email limit for unknown browsers does not affect owners', async () => {
    const email = 'quota@shop.example'
    const owner = await small(3, await ownerOf(email))
    pass(2 * 60 * 60_000)
    for (let n = 0; n < 5; n += 1) await ask(stranger(), `crowd${n}@shop.example`)
    expect((await ask(stranger(), 'crowd9@shop.example')).body.code).toBe('limit/reached')
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
  })

  test('another client behind the same IP address cannot block a browser that has signed in before', async () => {
    const email = 'shared-address@shop.example'
    const owner = await ownerOf(email)
    const neighbor = keys.browser('203.0.113.50')
    for (let n = 0; n < 32; n += 1) await ask(keys.browser('203.0.113.50'), `noise${n}@shop.example`)
    for (let n = 0; n < 101; n += 1) await neighbor.send('POST', '/vault/passkeys/sign-in/options')
    expect((await neighbor.send('POST', '/vault/passkeys/sign-in/options')).body.code).toBe('limit/reached')
    expect((await owner.send('POST', '/vault/passkeys/sign-in/options')).status).toBe(200)
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
  })

  test('an attacker’s session cannot use up the owner’s limits for key halves, records and email change codes', async () => {
    const email = 'session@shop.example'
    const owner = keys.browser('203.0.113.54')
    const { id } = await keys.signIn(owner, email)
    await owner.send('POST', '/vault/devices', { userId: id, deviceId: 'home', name: 'Home' })
    const attacker = stranger()
    await keys.signIn(attacker, email)
    for (let n = 0; n < 4; n += 1)
      for (let attempt = 0; attempt < 60; attempt += 1) await attacker.send('POST', `/vault/devices/d${n}/half`)
    for (let n = 0; n < 65; n += 1) await attacker.send('POST', '/vault/devices/home/half')
    for (let n = 0; n < 62; n += 1)
      await attacker.send('PUT', '/vault/record', { userId: id, record: 'x', expectedVersion: 9 })
    for (let round = 0; round < 12; round += 1) {
      await attacker.send('POST', '/vault/email/change', { email: 'other@shop.example' })
      for (let n = 0; n < 6; n += 1) await attacker.send('POST', '/vault/email/change/primary', { otp: '000000' })
      pass(31_000)
    }
    expect((await owner.send('POST', '/vault/devices/home/half')).status).toBe(200)
    expect(
      (await owner.send('PUT', '/vault/record', { userId: id, record: 'x', expectedVersion: 9 })).body.code,
    ).not.toBe('limit/reached')
    expect((await owner.send('POST', '/vault/email/change', { email: 'mine@shop.example' })).body).toEqual({
      action: 'VERIFY_PRIMARY_OTP',
    })
    expect((await owner.send('POST', '/vault/email/change/primary', { otp: keys.codeFor(email) })).status).toBe(200)
  })

  test('an email change does not allow more guesses for an address that has no account', async () => {
    let compared = 0
    for (let n = 0; n < 4; n += 1) {
      const attacker = stranger()
      await keys.signIn(attacker, `thief${n}@shop.example`)
      await attacker.send('POST', '/vault/email/change', { email: 'coveted@shop.example' })
      await attacker.send('POST', '/vault/email/change/primary', { otp: keys.codeFor(`thief${n}@shop.example`) })
      const otp = wrong(keys.codeFor('coveted@shop.example'))
      for (let guess = 0; guess < 5; guess += 1)
        if ((await attacker.send('POST', '/vault/email/change/secondary', { otp })).body.code === 'code/wrong')
          compared += 1
    }
    expect(compared).toBe(10)
  })

  test('a removed device becomes an unknown browser', async () => {
    const email = 'removed@shop.example'
    const owner = keys.browser('203.0.113.55')
    const { id } = await keys.signIn(owner, email)
    await owner.send('POST', '/vault/devices', { userId: id, deviceId: 'old', name: 'Old' })
    await owner.send('DELETE', '/vault/devices/old')
    await guessAll(email, 3)
    pass(10 * 60_000)
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_DEVICE' })
  })

  test.each([
    [
      'signed out everywhere',
      async (owner: TestBrowser, email: string) => {
        await owner.send('POST', '/vault/sign-out/everywhere', {})
        return email
      },
    ],
    [
      'changed the email address',
      async (owner: TestBrowser, email: string) => {
        const next = `new-${email}`
        await owner.send('POST', '/vault/email/change', { email: next })
        await owner.send('POST', '/vault/email/change/primary', { otp: keys.codeFor(email) })
        const { status } = await owner.send('POST', '/vault/email/change/secondary', { otp: keys.codeFor(next) })
        expect(status).toBe(200)
        return next
      },
    ],
    [
      'removed a device',
      async (owner: TestBrowser, email: string) => {
        expect((await owner.send('DELETE', '/vault/devices/theirs')).status).toBe(200)
        return email
      },
    ],
  ])(
    'an attacker’s browsers become unknown once the owner has %s, but the owner’s browser stays known',
    async (title, act) => {
      const email = `past-${title.replaceAll(' ', '-')}@shop.example`
      const [device, other, owner] = [stranger(), stranger(), stranger()]
      const { id } = await keys.signIn(device, email)
      await device.send('POST', '/vault/devices', { userId: id, deviceId: 'theirs', name: 'Theirs' })
      await keys.signIn(other, email)
      await other.send('POST', '/vault/sign-out')
      await keys.signIn(owner, email)
      const address = await act(owner, email)
      await owner.send('POST', '/vault/sign-out')
      await guessAll(address, 3)
      pass(10 * 60_000)
      // Even the browser that was registered as a device is now unknown, because opening the wallet on it does not prove access
      // to the mailbox.
      for (const browser of [other, device])
        expect((await ask(browser, address)).body).toEqual({ action: 'VERIFY_DEVICE' })
      expect((await ask(owner, address)).body).toEqual({ action: 'VERIFY_OTP' })
    },
  )

  test('after the browsers known to a mailbox have made fifty guesses in a day, the owner’s browser needs an emailed link', async () => {
    const email = 'many-known@shop.example'
    const owner = await ownerOf(email)
    const attackers = await knownTo(email, 4)
    let compared = 0
    for (let round = 0; round < 4; round += 1) {
      for (const attacker of attackers) {
        if ((await ask(attacker, email)).body.action !== 'VERIFY_OTP') continue
        const otp = wrong(keys.codeFor(email))
        for (let n = 0; n < 5; n += 1) if ((await type(attacker, otp)).body.code === 'code/wrong') compared += 1
      }
      pass(5 * 60_000)
    }
    expect(compared).toBe(50)
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_DEVICE' })
    await follow(email)
    expect((await owner.send('POST', '/vault/email/device')).body).toEqual({ status: 'approved' })
    expect((await type(owner, wrong(keys.codeFor(email)))).body.code).toBe('code/wrong')
    expect((await type(owner, keys.codeFor(email))).status).toBe(200)
  })

  test('a code that is entered in a browser other than the one that requested it does not make that browser known', async () => {
    const email = 'borrowed@shop.example'
    const owner = await ownerOf(email)
    const other = stranger()
    await other.send('POST', '/vault/passkeys/sign-in/options')
    await ask(owner, email)
    for (const [name, value] of owner.cookies) if (name.includes('flow')) other.cookies.set(name, value)
    expect((await type(other, keys.codeFor(email))).status).toBe(200)
    await other.send('POST', '/vault/sign-out')
    await guessAll(email, 3)
    pass(10 * 60_000)
    expect((await ask(other, email)).body).toEqual({ action: 'VERIFY_DEVICE' })
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
  })

  test('limits the number of known browsers, and new browsers do not displace those known for over a day', async () => {
    const email = 'bounded@shop.example'
    const owner = await ownerOf(email)
    pass(2 * day)
    const attackers = await knownTo(email, 14)
    await guessAll(email, 3)
    pass(10 * 60_000)
    let known = 0
    for (const attacker of attackers) if ((await ask(attacker, email)).body.action === 'VERIFY_OTP') known += 1
    expect(known).toBe(10)
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
  })

  test('browsers known to a mailbox for less than a day share an email limit that does not affect browsers known for longer', async () => {
    const email = 'bombed@shop.example'
    const owner = await ownerOf(email)
    pass(2 * day)
    const attackers = await knownTo(email, 6)
    expect(await mailed(attackers.map((attacker) => [attacker, email]))).toBe(20)
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
  })

  test('browsers known for less than a day at one IP address share an email limit that does not affect browsers known for longer', async () => {
    const email = 'same-network@shop.example'
    const owner = await ownerOf(email)
    pass(2 * day)
    const attempts: [TestBrowser, string][] = []
    for (let n = 0; n < 4; n += 1)
      for (const attacker of await knownTo(`mine${n}@shop.example`, 2))
        attempts.push([moved(attacker, '203.0.113.50'), `mine${n}@shop.example`])
    expect(await mailed(attempts)).toBe(30)
    expect((await ask(owner, email)).body).toEqual({ action: 'VERIFY_OTP' })
  })

  test('part of the global email limit is reserved for browsers known for more than a day', async () => {
    const email = 'reserve@shop.example'
    const owner = await ownerOf(email)
    pass(2 * day)
    const attackers = await knownTo('pool@shop.example', 2)
    const at = await small(4, owner)
    expect(await mailed(attackers.map((attacker) => [moved(attacker), 'pool@shop.example']))).toBe(3)
    expect((await ask(at, email)).body).toEqual({ action: 'VERIFY_OTP' })
  })

  test('after unknown browsers use up the email limit, the owner’s new browser still receives an email within fifteen minutes', async () => {
    const email = 'trickle@shop.example'
    for (let n = 0; n < 46; n += 1) {
      await ask(stranger(), email)
      if (n % 10 === 9) pass(10 * 60_000)
    }
    await ask(stranger(), email)
    expect((await ask(stranger(), email)).body.code).toBe('limit/reached')
    pass(15 * 60_000 + 1)
    expect((await ask(stranger(), email)).status).toBe(200)
    expect((await ask(stranger(), email)).body.code).toBe('limit/reached')
  })

  test('browsers that have signed in before are also limited by IP address, at ten times the usual limit', async () => {
    const known = [...(await knownTo('crowd@shop.example', 6)), ...(await knownTo('more@shop.example', 5))]
    const attackers = known.map((attacker) => moved(attacker, '203.0.113.60'))
    const begin = (browser: TestBrowser) => browser.send('POST', '/vault/passkeys/account/options', { name: 'Phone' })
    for (const attacker of attackers.slice(0, 10))
      for (let n = 0; n < 30; n += 1) expect((await begin(attacker)).status).toBe(200)
    for (const attacker of attackers.slice(10)) expect((await begin(attacker)).body.code).toBe('limit/reached')
    for (const attacker of attackers.slice(10)) expect((await begin(moved(attacker))).status).toBe(200)
  })
})
