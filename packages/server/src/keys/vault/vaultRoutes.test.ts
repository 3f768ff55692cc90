import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresConnection } from '../../storage/postgres.ts'
import {
  type Answer,
  startKeys,
  type TestBrowser,
  type TestKeys,
  temporaryConnection,
} from '../../testing/keysServer.ts'
import { startPostgres } from '../../testing/postgres.ts'
import { vaultAudit, vaultDevices, vaultReplaced } from '../tables/vaultSchema.ts'

const minute = 60_000

async function onServer(): Promise<TestKeys> {
  const postgres = await startPostgres()
  const keys = await startKeys({ connection: await postgresConnection({ url: postgres.url, log: () => {} }) })
  return {
    ...keys,
    close: async () => {
      await keys.close()
      await postgres.stop()
    },
  }
}

describe.each([
  ['an embedded database', async () => startKeys({ connection: await temporaryConnection() })],
  ['a database on a PostgreSQL server', onServer],
])('accounts in %s', (_, start) => {
  let keys: TestKeys
  beforeAll(async () => {
    keys = await start()
  }, 60_000)
  afterAll(() => keys?.close())

  async function signedIn(email: string, address?: string): Promise<{ browser: TestBrowser; userId: string }> {
    const browser = keys.browser(address)
    const { id } = await keys.signIn(browser, email)
    return { browser, userId: id }
  }

  const put = (browser: TestBrowser, userId: string, record: string, expectedVersion: number): Promise<Answer> =>
    browser.send('PUT', '/vault/record', { userId, record, expectedVersion })

  const device = (browser: TestBrowser, userId: string, deviceId: string, name = 'Laptop'): Promise<Answer> =>
    browser.send('POST', '/vault/devices', { userId, deviceId, name })

  const fetchHalf = (browser: TestBrowser, deviceId: string): Promise<Answer> =>
    browser.send('POST', `/vault/devices/${deviceId}/half`)

  test('signing out everywhere ends every session, and the log entry includes the browser', async () => {
    const { browser } = await signedIn('everywhere@shop.example')
    const { browser: other } = await signedIn('everywhere@shop.example')
    const { browser: stranger } = await signedIn('elsewhere@shop.example')
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0 Safari/537.36' }
    expect((await browser.send('POST', '/vault/sign-out/everywhere', {}, agent)).status).toBe(200)
    for (const tab of [browser, other]) expect((await tab.send('GET', '/vault/me')).body.code).toBe('session/none')
    expect((await stranger.send('GET', '/vault/me')).status).toBe(200)
    keys.pass(minute)
    await keys.signIn(browser, 'everywhere@shop.example')
    expect((await browser.send('GET', '/vault/audit')).body.entries).toContainEqual(
      expect.objectContaining({ event: 'signed-out-everywhere', place: 'Chrome on Linux' }),
    )
  })

  test('repeating an action does not push other entries out of the log', async () => {
    const { browser, userId } = await signedIn('buried@shop.example')
    await device(browser, userId, 'laptop', 'Thief')
    await keys.connection.use((database) =>
      database
        .insert(vaultAudit)
        .values(
          Array.from({ length: 300 }, () => ({ userId, at: 1, event: 'half-refused', about: null, place: null })),
        ),
    )
    const { entries } = (await browser.send('GET', '/vault/audit')).body
    expect(entries).toContainEqual(expect.objectContaining({ event: 'device-added', about: 'Thief' }))
    expect(entries).toHaveLength(25 + 3)
  })

  test('a signed-in user receives a code only when requesting one explicitly', async () => {
    const { browser } = await signedIn('again@shop.example')
    const before = keys.mails.length
    const body = { email: 'again@shop.example' }
    expect((await browser.send('POST', '/vault/email', body)).body).toEqual({ action: 'CONNECT' })
    keys.pass(minute)
    expect((await browser.send('POST', '/vault/email', { ...body, again: true })).body).toEqual({
      action: 'VERIFY_OTP',
    })
    expect(keys.mails.length).toBe(before + 1)
  })

  describe('the sealed record', () => {
    test('an attacker with access to the mailbox can neither substitute a different wallet nor destroy the sealed seed', async () => {
      const { browser, userId } = await signedIn('ransom@shop.example')
      const own = {
        format: 1,
        user: userId,
        wallet: 'mine',
        addresses: { eip155: '0x1' },
        vault: { nonce: 'n', sealed: 's' },
        wrappers: [{ id: 'one' }],
      }
      await put(browser, userId, JSON.stringify(own), 0)
      for (const other of [
        { ...own, wallet: 'theirs' },
        { ...own, addresses: { eip155: '0x2' } },
        { ...own, vault: { nonce: 'n', sealed: 'gone' } },
        { ...own, format: 2, vault: { nonce: 'n', sealed: 'gone' } },
        'nothing',
      ])
        expect(await put(browser, userId, JSON.stringify(other), 1)).toMatchObject({
          status: 400,
          body: { code: 'input/invalid' },
        })
      expect(await put(browser, userId, JSON.stringify({ ...own, wrappers: [{ id: 'two' }] }), 1)).toMatchObject({
        status: 200,
        body: { version: 2 },
      })
    })

    test('the record can be written, read and replaced, and its version only increases', async () => {
      const { browser, userId } = await signedIn('record@shop.example')
      expect((await put(browser, userId, '{"sealed":1}', 0)).body).toEqual({ version: 1 })
      expect((await put(browser, userId, '{"sealed":2}', 1)).body).toEqual({ version: 2 })
      const { body } = await browser.send('GET', '/vault/me')
      expect(body.record).toMatchObject({ record: '{"sealed":2}', version: 2 })
    })

    test('an older version cannot be restored, and version 1 cannot be written twice', async () => {
      const { browser, userId } = await signedIn('rollback@shop.example')
      await put(browser, userId, 'one', 0)
      await put(browser, userId, 'two', 1)
      for (const expected of [0, 1, 3, 99]) {
        const answer = await put(browser, userId, 'one', expected)
        expect(answer).toMatchObject({ status: 409, body: { code: 'record/conflict', version: 2 } })
      }
      expect((await browser.send('GET', '/vault/me')).body.record.record).toBe('two')
    })

    test('a replaced record is retained for 30 days, so that an operator can restore it', async () => {
      const { browser, userId } = await signedIn('replaced@shop.example')
      await put(browser, userId, 'one', 0)
      await put(browser, userId, 'two', 1)
      await put(browser, userId, 'never', 1)
      const readShares = (): Promise<unknown[]> =>
        keys.connection.use((database) =>
          database
            .select({ record: vaultReplaced.record, version: vaultReplaced.version })
            .from(vaultReplaced)
            .where(eq(vaultReplaced.userId, userId)),
        )
      expect(await readShares()).toEqual([{ record: 'one', version: 1 }])
      await keys.server.sweep()
      expect(await readShares()).toHaveLength(1)
      keys.pass(30 * 24 * 60 * minute + 1)
      await keys.server.sweep()
      expect(await readShares()).toEqual([])
    })

    test('only one of several concurrent writes to the record succeeds', async () => {
      const { browser, userId } = await signedIn('race@shop.example')
      const first = await Promise.all(['a', 'b', 'c'].map((record) => put(browser, userId, record, 0)))
      expect(first.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      const second = await Promise.all(['d', 'e', 'f'].map((record) => put(browser, userId, record, 1)))
      expect(second.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    })

    test('the size of the record is limited', async () => {
      const { browser, userId } = await signedIn('size@shop.example')
      expect((await put(browser, userId, 'x'.repeat(65_536), 0)).status).toBe(200)
      for (const length of [65_537, 1_000_000]) {
        const answer = await put(browser, userId, 'x'.repeat(length), 1)
        expect(answer).toMatchObject({ status: 413, body: { code: 'record/too-large' } })
      }
    })

    test('a write for a different account is rejected', async () => {
      const first = await signedIn('mine@shop.example')
      const second = await signedIn('theirs@shop.example')
      await put(second.browser, second.userId, 'theirs', 0)
      const answer = await put(first.browser, second.userId, 'mine', 1)
      expect(answer).toMatchObject({ status: 409, body: { code: 'session/other-account' } })
      expect((await second.browser.send('GET', '/vault/me')).body.record.record).toBe('theirs')
      expect((await first.browser.send('GET', '/vault/me')).body.record).toBeNull()
      expect((await device(first.browser, second.userId, 'd1')).body.code).toBe('session/other-account')
    })
  })

  describe('server halves', () => {
    test('each device has its own half, and always receives the same one', async () => {
      const { browser, userId } = await signedIn('half@shop.example')
      const first = (await device(browser, userId, 'd1')).body.serverHalf
      expect(Buffer.from(first, 'base64url')).toHaveLength(32)
      expect((await device(browser, userId, 'd1')).body.serverHalf).toBe(first)
      expect((await fetchHalf(browser, 'd1')).body).toEqual({ serverHalf: first })
      expect((await device(browser, userId, 'd2')).body.serverHalf).not.toBe(first)
      const { body } = await browser.send('GET', '/vault/devices')
      // Frames that were loaded before an upgrade require `publicKey`.
      const expected = { isThis: true, publicKey: null }
      expect(body.devices).toMatchObject([expected, expected])
      expect(JSON.stringify(body)).not.toContain(first)
      expect(JSON.stringify((await browser.send('GET', '/vault/me')).body)).not.toContain(first)
    })

    test('an attacker with access to the mailbox receives halves only for new devices', async () => {
      const owner = await signedIn('takeover@shop.example')
      const { serverHalf } = (await device(owner.browser, owner.userId, 'laptop')).body
      await put(owner.browser, owner.userId, 'sealed', 0)
      keys.pass(minute)

      const attacker = await signedIn('takeover@shop.example', '198.51.100.66')
      expect(attacker.userId).toBe(owner.userId)
      expect(await fetchHalf(attacker.browser, 'laptop')).toMatchObject({
        status: 403,
        body: { code: 'device/other-browser' },
      })
      expect((await device(attacker.browser, attacker.userId, 'laptop')).body.code).toBe('device/other-browser')
      const attackerHalf = (await device(attacker.browser, attacker.userId, 'thief', 'Phone')).body.serverHalf
      expect(attackerHalf).not.toBe(serverHalf)
      // The thief can read only the sealed record, and the owner is notified.
      expect((await attacker.browser.send('GET', '/vault/me')).body.record.record).toBe('sealed')
      expect(keys.mails.at(-1)).toMatchObject({
        to: 'takeover@shop.example',
        subject: 'New sign-in on another device',
      })
      expect(keys.mails.at(-1)?.text).toContain('“Browser” signed in')
      expect(JSON.stringify(keys.mails.at(-1))).not.toContain('Phone')
      const { entries } = (await owner.browser.send('GET', '/vault/audit')).body
      expect(entries.map(({ event }: { event: string }) => event)).toEqual(
        expect.arrayContaining(['half-refused', 'device-added', 'signed-in-by-email']),
      )
    })

    test('a removed device receives nothing, its half is erased, and its session ends', async () => {
      const laptop = await signedIn('revoke@shop.example')
      await device(laptop.browser, laptop.userId, 'laptop')
      keys.pass(minute)
      const phone = await signedIn('revoke@shop.example')
      await device(phone.browser, phone.userId, 'phone')
      expect((await phone.browser.send('DELETE', '/vault/devices/laptop', {})).status).toBe(200)
      expect((await laptop.browser.send('GET', '/vault/me')).body.code).toBe('session/none')
      keys.pass(minute)
      await keys.signIn(laptop.browser, 'revoke@shop.example')
      expect(await fetchHalf(laptop.browser, 'laptop')).toMatchObject({ status: 410, body: { code: 'device/revoked' } })
      expect((await device(laptop.browser, laptop.userId, 'laptop')).body.code).toBe('device/revoked')
      expect((await phone.browser.send('DELETE', '/vault/devices/laptop', {})).body.code).toBe('device/unknown')
      expect((await fetchHalf(phone.browser, 'phone')).status).toBe(200)
      const rows = await keys.connection.use((database) => database.select().from(vaultDevices))
      expect(rows.find(({ id, userId }) => id === 'laptop' && userId === laptop.userId)).toMatchObject({
        serverHalf: null,
      })
    })

    const addRows = (userId: string, count: number, revokedAt: number | null): Promise<unknown> =>
      keys.connection.use((database) =>
        database.insert(vaultDevices).values(
          Array.from({ length: count }, (_, n) => ({
            ...{ userId, id: `earlier-${n}`, name: 'Laptop', browser: 'other', serverHalf: null },
            ...{ createdAt: n, lastUsedAt: n, revokedAt: revokedAt && revokedAt + n },
          })),
        ),
      )

    test('devices that were removed never prevent a new device', async () => {
      const { browser, userId } = await signedIn('removed@shop.example')
      await addRows(userId, 600, 1)
      expect((await device(browser, userId, 'new')).status).toBe(200)
      const me = await browser.send('GET', '/vault/me')
      const ids = me.body.devices.map(({ id }: { id: string }) => id)
      expect(ids).toHaveLength(201)
      expect(ids).toEqual(expect.arrayContaining(['new', 'earlier-599', 'earlier-400']))
    })

    test('an account has at most fifty devices, even if more are added at the same time', async () => {
      const { browser, userId } = await signedIn('fifty@shop.example')
      await addRows(userId, 48, null)
      const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => device(browser, userId, id)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429])
    })

    test('a public key, which earlier frames sent, is not stored', async () => {
      const { browser, userId } = await signedIn('long-key@shop.example')
      const body = { userId, deviceId: 'laptop', name: 'Laptop', publicKey: 'k'.repeat(1025) }
      expect((await browser.send('POST', '/vault/devices', body)).status).toBe(200)
      const rows = await keys.connection.use((database) => database.select().from(vaultDevices))
      expect(rows.find((row) => row.userId === userId)).toMatchObject({ id: 'laptop', publicKey: null })
    })

    test('a user cannot access the devices of a different account', async () => {
      const owner = await signedIn('cross@shop.example')
      await device(owner.browser, owner.userId, 'mine')
      const other = await signedIn('other@shop.example')
      expect((await fetchHalf(other.browser, 'mine')).body.code).toBe('device/unknown')
      expect((await other.browser.send('DELETE', '/vault/devices/mine', {})).body.code).toBe('device/unknown')
      expect((await other.browser.send('GET', '/vault/devices')).body.devices).toEqual([])
      // The same device ID in a different account identifies a different device.
      await device(other.browser, other.userId, 'mine')
      expect((await fetchHalf(owner.browser, 'mine')).body.serverHalf).not.toBe(
        (await fetchHalf(other.browser, 'mine')).body.serverHalf,
      )
    })

    test('no half is released without a session or after the session has expired', async () => {
      const { browser, userId } = await signedIn('stolen@shop.example')
      await device(browser, userId, 'laptop')
      keys.pass(7 * 24 * 60 * minute)
      expect((await fetchHalf(browser, 'laptop')).body.code).toBe('session/none')
      expect((await fetchHalf(keys.browser(), 'laptop')).body.code).toBe('session/none')
    })

    test('a half is released at most 60 times per hour', async () => {
      const { browser, userId } = await signedIn('often@shop.example')
      await device(browser, userId, 'laptop')
      for (let n = 0; n < 60; n += 1) expect((await fetchHalf(browser, 'laptop')).status).toBe(200)
      const answer = await fetchHalf(browser, 'laptop')
      expect(answer).toMatchObject({ status: 429, body: { code: 'limit/reached' } })
      expect(answer.body.seconds).toBeLessThanOrEqual(3600)
      keys.pass(60 * minute)
      expect((await fetchHalf(browser, 'laptop')).status).toBe(200)
    })

    test('actions with lasting effects require a sign-in within the last ten minutes', async () => {
      const { browser, userId } = await signedIn('stale@shop.example')
      keys.pass(10 * minute + 1)
      const options = await browser.send('POST', '/vault/passkeys/options', {})
      for (const answer of [
        await device(browser, userId, 'late'),
        options,
        await browser.send('POST', '/vault/transfers', { commitment: 'AAAA' }),
      ])
        expect(answer).toMatchObject({ status: 403, body: { code: 'session/stale' } })
      expect((await browser.send('GET', '/vault/me')).status).toBe(200)
    })
  })

  describe('a change of email address', () => {
    test('a change requires a code from the current address and a code from the new address [R4.5]', async () => {
      const { browser, userId } = await signedIn('before@shop.example')
      const other = await signedIn('before@shop.example')
      await put(browser, userId, 'sealed', 0)
      expect((await browser.send('POST', '/vault/email/change', { email: 'After@shop.example' })).body).toEqual({
        action: 'VERIFY_PRIMARY_OTP',
      })
      const first = keys.codeFor('before@shop.example')
      expect((await browser.send('POST', '/vault/email/change/secondary', { otp: first })).body.code).toBe(
        'code/expired',
      )
      expect((await browser.send('POST', '/vault/email/change/primary', { otp: first })).body).toEqual({})
      const second = keys.codeFor('after@shop.example')
      expect((await browser.send('POST', '/vault/email/change/secondary', { otp: second })).body).toEqual({
        newEmail: 'after@shop.example',
      })
      const me = (await browser.send('GET', '/vault/me')).body
      expect(me).toMatchObject({ user: { id: userId, email: 'after@shop.example' }, record: { record: 'sealed' } })
      expect((await other.browser.send('GET', '/vault/me')).body.code).toBe('session/none')
      expect(keys.mails.at(-1)).toMatchObject({
        to: 'before@shop.example',
        subject: 'Your email address was changed',
      })
      expect((await signedIn('after@shop.example')).userId).toBe(userId)
      expect((await signedIn('before@shop.example')).userId).not.toBe(userId)
    })

    test('requests that send no email are not logged, so that they cannot push other entries out of the log', async () => {
      const { browser } = await signedIn('flood@shop.example')
      const change = () => browser.send('POST', '/vault/email/change', { email: 'thief@shop.example' })
      expect((await change()).status).toBe(200)
      for (let n = 0; n < 5; n += 1) expect((await change()).body.code).toBe('email/throttled')
      const { entries } = (await browser.send('GET', '/vault/audit')).body
      expect(entries.filter(({ event }: { event: string }) => event === 'email-change-asked')).toHaveLength(1)
    })

    test('a second change can be requested only after 30 seconds [R5.4]', async () => {
      const { browser } = await signedIn('hasty@shop.example')
      const change = (email: string) => browser.send('POST', '/vault/email/change', { email })
      expect((await change('one@shop.example')).status).toBe(200)
      const sent = keys.mails.length
      expect(await change('two@shop.example')).toMatchObject({ status: 429, body: { code: 'email/throttled' } })
      expect(keys.mails).toHaveLength(sent)
      keys.pass(31_000)
      expect((await change('two@shop.example')).status).toBe(200)
    })

    test('a change to an address that is already in use receives the same responses as any other change, but does not take effect', async () => {
      const owner = await signedIn('taken@shop.example')
      const { browser, userId } = await signedIn('taker@shop.example')
      await browser.send('POST', '/vault/email/change', { email: 'taken@shop.example' })
      const otp = keys.codeFor('taker@shop.example')
      expect((await browser.send('POST', '/vault/email/change/primary', { otp })).body).toEqual({})
      expect(keys.mails.at(-1)).toMatchObject({
        to: 'taken@shop.example',
        subject: 'This email address already has an account',
      })
      expect((await browser.send('POST', '/vault/email/change/secondary', { otp: '000000' })).body.code).toBe(
        'code/wrong',
      )
      expect((await browser.send('GET', '/vault/me')).body.user).toMatchObject({
        id: userId,
        email: 'taker@shop.example',
      })
      expect((await owner.browser.send('GET', '/vault/me')).body.user.email).toBe('taken@shop.example')
    })

    test('a change cannot be completed from a different account [R4.5]', async () => {
      const { browser } = await signedIn('steady@shop.example')
      await browser.send('POST', '/vault/email/change', { email: 'moved@shop.example' })
      const otp = keys.codeFor('steady@shop.example')
      const other = await signedIn('thief@shop.example')
      expect((await other.browser.send('POST', '/vault/email/change/primary', { otp })).body.code).toBe('code/expired')
      expect((await keys.browser().send('POST', '/vault/email/change/primary', { otp })).body.code).toBe('session/none')
      // In the meantime, the same browser signs in to a different account.
      keys.pass(31_000)
      await keys.signIn(browser, 'swap@shop.example')
      expect((await browser.send('POST', '/vault/email/change/primary', { otp })).body.code).toBe(
        'session/other-account',
      )
    })
  })

  describe('transfers between devices', () => {
    async function pair(email: string): Promise<{ old: TestBrowser; fresh: TestBrowser; id: string }> {
      const old = await signedIn(email)
      keys.pass(31_000)
      const fresh = await signedIn(email)
      const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0 Safari/537.36' }
      // Earlier frames sent a name, which an attacker could have used to send the owner a message.
      const transfer = { name: 'Support: call +1 555 0100', commitment: 'Y29tbWl0' }
      const { body } = await fresh.browser.send('POST', '/vault/transfers', transfer, agent)
      return { old: old.browser, fresh: fresh.browser, id: body.transfer.id }
    }
    const step = (browser: TestBrowser, id: string, name: string, value = 'dmFsdWU'): Promise<Answer> =>
      browser.send('POST', `/vault/transfers/${id}/${name}`, { value })

    test('a key is transferred in steps that hide it from the server', async () => {
      const { old, fresh, id } = await pair('pair@shop.example')
      expect((await old.send('GET', '/vault/transfers')).body.transfers).toMatchObject([
        { id, name: 'Chrome on Linux', commitment: 'Y29tbWl0', offer: null, isMine: false },
      ])
      expect((await step(old, id, 'offer', 'b2ZmZXI')).status).toBe(200)
      expect((await fresh.send('GET', `/vault/transfers/${id}/after/0`)).body.transfer).toMatchObject({
        offer: 'b2ZmZXI',
        isMine: true,
      })
      expect((await step(fresh, id, 'reveal', 'cmV2ZWFs')).status).toBe(200)
      const waiting = fresh.send('GET', `/vault/transfers/${id}/after/2`)
      expect((await step(old, id, 'sealed', 'c2VhbGVk')).status).toBe(200)
      expect((await waiting).body.transfer.sealed).toBe('c2VhbGVk')
    })

    test('steps that are out of order, repeated or from the wrong device are rejected', async () => {
      const { old, fresh, id } = await pair('order@shop.example')
      const refused = async (browser: TestBrowser, name: string) =>
        expect((await step(browser, id, name)).body.code).toBe('transfer/out-of-turn')
      await refused(fresh, 'reveal')
      await refused(old, 'sealed')
      await refused(fresh, 'offer')
      expect((await step(old, id, 'offer')).status).toBe(200)
      await refused(old, 'offer')
      await refused(old, 'reveal')
      await refused(old, 'sealed')
      expect((await step(fresh, id, 'reveal')).status).toBe(200)
      await refused(fresh, 'sealed')
      expect((await step(old, id, 'commitment')).body.code).toBe('path/unknown')
    })

    test('a transfer is hidden from other accounts, and expires after ten minutes', async () => {
      const { old, id } = await pair('private@shop.example')
      const other = await signedIn('curious@shop.example')
      expect((await other.browser.send('GET', '/vault/transfers')).body.transfers).toEqual([])
      expect((await other.browser.send('GET', `/vault/transfers/${id}/after/0`)).body.code).toBe('transfer/unknown')
      expect((await step(other.browser, id, 'offer')).body.code).toBe('transfer/unknown')
      keys.pass(10 * minute)
      expect((await step(old, id, 'offer')).body.code).toBe('transfer/unknown')
    })

    test('a device can cancel a transfer for both sides, the cancellation is logged, and other accounts cannot cancel it', async () => {
      const { old, fresh, id } = await pair('refused@shop.example')
      const waiting = fresh.send('GET', `/vault/transfers/${id}/after/0`)
      expect((await old.send('DELETE', `/vault/transfers/${id}`, {})).status).toBe(200)
      expect((await waiting).body.code).toBe('transfer/unknown')
      expect((await old.send('GET', '/vault/audit')).body.entries[0]).toMatchObject({ event: 'transfer-refused' })
      const { browser } = await signedIn('stranger@shop.example')
      const next = await fresh.send('POST', '/vault/transfers', { commitment: 'AAAA' })
      await browser.send('DELETE', `/vault/transfers/${next.body.transfer.id}`, {})
      expect((await old.send('GET', '/vault/transfers')).body.transfers).toHaveLength(1)
    })
  })

  test('expired entries are deleted', async () => {
    const { browser } = await signedIn('sweep@shop.example')
    keys.pass(400 * 24 * 60 * minute)
    await keys.server.sweep()
    const left = await keys.connection.use(async (database) => {
      const { vaultAudit, vaultSessions, vaultTransfers } = await import('../tables/vaultSchema.ts')
      const { actionCounters, pendingSteps } = await import('../../storage/verificationSchema.ts')
      const tables = [vaultAudit, actionCounters, pendingSteps, vaultSessions, vaultTransfers]
      return Promise.all(tables.map(async (table) => (await database.select().from(table)).length))
    })
    expect(left).toEqual([0, 0, 0, 0, 0])
    expect((await browser.send('GET', '/vault/me')).body.code).toBe('session/none')
  })
})
