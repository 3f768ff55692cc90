import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '../../storage/databaseConnection.ts'
import { assetsFolder } from '../../storage/packageFiles.ts'
import { unpackPrebuiltDatabase } from '../../storage/prebuiltDatabase.ts'
import { startKeys, type TestBrowser, type TestKeys } from '../../testing/keysServer.ts'

interface Trace {
  readonly status: number
  readonly body: unknown
  readonly headers: readonly string[]
  readonly cookies: readonly string[]
  readonly statements: readonly string[]
  readonly mails: readonly string[]
}

let folder: string
let client: PGlite
let keys: TestKeys
const statements: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-enumeration-'))
  await unpackPrebuiltDatabase(join(folder, 'db'))
  client = await PGlite.create({ dataDir: join(folder, 'db') })
  const database = drizzle(client, { logger: { logQuery: (query) => statements.push(query) } })
  await migrate(database, { migrationsFolder: join(assetsFolder(), 'migrations') })
  const connection: Connection = {
    use: (work) => work(database),
    stamp: async () => undefined,
    touch: async () => {},
    ping: async () => {},
    isDiskFull: () => false,
    alone: (_, work) => work(),
    close: () => client.close(),
  }
  keys = await startKeys({ connection })
}, 60_000)
afterAll(async () => {
  await client?.close()
  await rm(folder, { recursive: true, force: true })
})

const withoutCode = (text: string) => text.replace(/\d{6}/, 'CODE').replace(/token=[\w-]+/, 'token=TOKEN')

/** Sends a request. Returns everything that the client can observe and every statement that the database receives. */
async function traced(browser: TestBrowser, path: string, body: unknown): Promise<Trace> {
  statements.length = 0
  const mailed = keys.mails.length
  const answer = await browser.send('POST', path, body)
  return {
    status: answer.status,
    body: { ...answer.body, seconds: undefined, message: answer.body.message?.replace(/\d+/, 'N') },
    headers: [...answer.headers.keys()].sort(),
    cookies: answer.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, '')),
    statements: [...statements],
    mails: keys.mails.slice(mailed).map(({ subject, text }) => `${subject} ${withoutCode(text)}`),
  }
}

/** Makes every request that an unknown browser can make with an email address. */
async function acquaintance(email: string, address: string): Promise<readonly Trace[]> {
  const browser = keys.browser(address)
  const first = await traced(browser, '/vault/email', { email })
  const soon = await traced(browser, '/vault/email', { email })
  const otp = keys.codeFor(email) === '000000' ? '000001' : '000000'
  const guesses: Trace[] = []
  for (let n = 0; n < 7; n += 1) guesses.push(await traced(browser, '/vault/email/code', { otp }))
  keys.pass(31_000)
  const again = await traced(browser, '/vault/email', { email })
  const more: Trace[] = []
  for (let n = 0; n < 6; n += 1) more.push(await traced(browser, '/vault/email/code', { otp }))
  keys.pass(31_000)
  return [first, soon, ...guesses, again, ...more, await traced(browser, '/vault/email', { email })]
}

describe('whether an email address has an account', () => {
  test('is not revealed by any status, body, header, cookie, email or database statement', async () => {
    const owner = keys.browser()
    const { id } = await keys.signIn(owner, 'member@shop.example')
    await owner.send('POST', '/vault/devices', { userId: id, deviceId: 'home', name: 'Home' })
    const member = await acquaintance('member@shop.example', '198.51.100.1')
    const nobody = await acquaintance('nobody@shop.example', '198.51.100.2')
    expect(member).toEqual(nobody)
    expect(member.map(({ status }) => status)).toEqual([
      200, 429, 422, 422, 422, 422, 422, 410, 410, 200, 422, 422, 422, 422, 422, 410, 200,
    ])
    expect(member.at(-1)?.body).toMatchObject({ action: 'VERIFY_DEVICE' })
  })

  test('is revealed only to the mailbox’s owner, by email, if a different account requests the address', async () => {
    await keys.signIn(keys.browser('198.51.100.3'), 'taken@shop.example')
    const attacker = keys.browser('198.51.100.4')
    await keys.signIn(attacker, 'thief@shop.example')
    const change = async (email: string) => {
      keys.pass(31_000)
      await attacker.send('POST', '/vault/email/change', { email })
      const primary = await traced(attacker, '/vault/email/change/primary', { otp: keys.codeFor('thief@shop.example') })
      const guess = await traced(attacker, '/vault/email/change/secondary', { otp: '000000' })
      return [{ ...primary, mails: primary.mails.length }, guess]
    }
    expect(await change('taken@shop.example')).toEqual(await change('free@shop.example'))
  })

  test('is not revealed by passkeys, because an unknown passkey is rejected like an invalid one', async () => {
    const browser = keys.browser('198.51.100.5')
    await browser.send('POST', '/vault/passkeys/sign-in/options')
    const answer = await browser.send('POST', '/vault/passkeys/sign-in', {
      response: { id: 'bm9ib2R5IGtub3dzIHRoaXMgb25l' },
    })
    expect(answer).toMatchObject({ status: 422, body: { code: 'passkey/refused' } })
  })
})
