import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Connection } from '../storage/databaseConnection.ts'
import { postgresConnection } from '../storage/postgres.ts'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { runCommand } from './serverCommand.ts'

const wallet = {
  // With an empty `DATABASE_URL`, the data is stored in a folder, which also contains the file with the secret.
  DATABASE_URL: '',
  KEYS_URL: 'http://keys.shop.localhost:4100',
  SMTP_URL: 'smtp://127.0.0.1:2525',
  MAIL_FROM: 'Shop <wallet@shop.example>',
}

let folder: string
let postgres: TestPostgres
let connection: Connection
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-keys-command-'))
  postgres = await startPostgres()
  connection = await postgresConnection({ url: postgres.url, log: () => {} })
}, 120_000)
afterEach(async () => {
  vi.useRealTimers()
  await connection.use((database) => database.execute(sql`delete from server_keys`))
})
afterAll(async () => {
  await connection.close()
  await postgres.stop()
  await rm(folder, { recursive: true })
})

/** Runs a command with the data folder and database of this test. */
async function run(line: string, env: Readonly<Record<string, string>> = {}) {
  const output = { out: '', err: '' }
  const code = await runCommand({
    args: line === '' ? [] : line.split(' '),
    env: { DATA_DIR: folder, PORT: '0', DATABASE_URL: postgres.url, ...env },
    out: (text) => {
      output.out += text
    },
    err: (text) => {
      output.err += text
    },
    stopped: async () => {},
  })
  return { code, ...output }
}
/** Runs `keys list`. Resolves to its rows, split into columns. */
const rows = async (env = {}) =>
  (await run('keys list', env)).out
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
/** Runs a command that must fail with a one-line error and no output. Resolves to the error. */
async function refusal(line: string, env = {}): Promise<string> {
  const { code, out, err } = await run(line, env)
  expect([code, out]).toEqual([2, ''])
  expect(err.trim().split('\n')).toHaveLength(1)
  return err
}

describe('the keys command', { timeout: 60_000 }, () => {
  test('reports that there are no keys before the first start', async () => {
    expect(await run('keys list')).toEqual({
      code: 0,
      out: 'There are no keys yet. They are created on the first start.\n',
      err: '',
    })
  })

  test.each([
    ['keys', /^"keys" requires list, rotate or retire\./],
    ['keys frob', /^"keys" requires list, rotate or retire\./],
    ['keys list a b', /^Unexpected argument "b"\./],
    ['keys rotate', /^"keys rotate" requires sign-in, verify or secret\./],
    ['keys rotate toString', /^"keys rotate" requires sign-in, verify or secret\./],
    ['keys retire', /^"keys retire" requires the name of a key/],
    ['keys rotate secret', /^There is no secret because KEYS_URL is not set\./],
  ])('%s is rejected with one sentence', async (line, sentence) => {
    expect(await refusal(line)).toMatch(sentence)
  })

  test('a new key is published before it signs, and any key can be retired except the one that signs', async () => {
    const rotated = await run('keys rotate verify')
    expect([rotated.code, rotated.err]).toEqual([0, ''])
    const [name = ''] = rotated.out.split(' ')
    expect(rotated.out).toMatch(
      / is published within 30 s by every instance and signs from 20.*Z\. Users stay signed in\.\n$/,
    )
    // If there is only one key, it signs immediately, regardless of its start time.
    expect(await rows()).toEqual([[name, 'verify', 'signs', expect.stringMatching(/^created \d{4}-\d\d-\d\d$/)]])
    expect(await refusal(`keys retire ${name}`)).toMatch(/ is the current signing key: rotate first/)

    const [next = ''] = (await run('keys rotate verify')).out.split(' ')
    const listed = await rows()
    expect(listed.map(([key, , state]) => [key, state])).toEqual([
      [name, 'signs'],
      [next, expect.stringMatching(/^signs from 20/)],
    ])
    expect(await run(`keys retire ${next}`)).toEqual({
      code: 0,
      out: `Removed ${next}. Every instance stops using it within 30 s.\n`,
      err: '',
    })
    expect((await rows()).map(([key]) => key)).toEqual([name])
    expect(await run('keys retire nobody')).toEqual({ code: 1, out: 'Key nobody does not exist.\n', err: '' })
  })

  test('retiring a key requires --yes while its signatures can still be in use', async () => {
    const hourMs = 60 * 60_000
    const start = Date.UTC(2026, 10, 22)
    const at = (ms: number): void => void vi.useFakeTimers({ toFake: ['Date'], now: start + ms })
    const rotated = async (ms: number): Promise<string> => {
      at(ms)
      return (await run('keys rotate sign-in')).out.split(' ')[0] ?? ''
    }
    const [oldest, older, newest] = [await rotated(0), await rotated(hourMs), await rotated(25 * hourMs)]
    at(27 * hourMs)
    const states = (await rows()).map(([key, , state]) => [key, state])
    expect(states).toEqual([
      [oldest, 'accepted'],
      [older, 'accepted'],
      [newest, 'signs'],
    ])
    expect(await refusal(`keys retire ${older}`)).toContain(
      `Signatures of ${older} may be in use until 2026-11-24T01:01:00`,
    )
    expect((await run(`keys retire ${older} --yes`)).code).toBe(0)
    at(50 * hourMs)
    expect((await run(`keys retire ${oldest}`)).code).toBe(0)
    expect((await rows()).map(([key]) => key)).toEqual([newest])
  })

  test('rotation is rejected if the machine’s clock is so far behind that the new key would never sign', async () => {
    const hourMs = 60 * 60_000
    const start = Date.UTC(2026, 10, 22)
    const at = (ms: number): void => void vi.useFakeTimers({ toFake: ['Date'], now: start + ms })
    at(2 * hourMs)
    const [right = ''] = (await run('keys rotate sign-in')).out.split(' ')
    at(hourMs)
    expect(await refusal('keys rotate sign-in')).toMatch(
      new RegExp(
        `^${right} signs from 2026-11-22T02:01:00\\.000Z, so .* never sign\\. Is the clock of this machine correct\\?`,
      ),
    )
    at(3 * hourMs)
    const [next = ''] = (await run('keys rotate sign-in')).out.split(' ')
    at(4 * hourMs)
    expect((await rows()).map(([key, , state]) => [key, state])).toEqual([
      [right, 'accepted'],
      [next, 'signs'],
    ])
  })

  test('the secret in the file can be rotated and retired, but a configured secret must be changed by the operator', async () => {
    expect((await run('keys rotate secret', wallet)).code).toBe(0)
    const file = join(folder, 'secret')
    const lines = async () => (await readFile(file, 'utf8')).trim().split('\n')
    const [newest, older] = await lines()
    expect(await lines()).toHaveLength(2)
    expect((await rows(wallet)).map(([kind, , state, which]) => [kind, state, which])).toEqual([
      ['secret', 'signs', '1 of 2'],
      ['secret', 'accepted', '2 of 2'],
    ])
    expect((await run('keys list', wallet)).out).not.toContain(newest)
    expect(await refusal('keys retire secret', wallet)).toMatch(/^Users who signed in under an older secret .* --yes\./)
    expect(await lines()).toEqual([newest, older])
    expect((await run('keys retire secret --yes', wallet)).out).toBe('Older secrets removed: 1.\n')
    expect(await lines()).toEqual([newest])
    const set = { ...wallet, AUTH_SECRET: 'x'.repeat(40) }
    for (const what of ['rotate', 'retire'])
      expect(await refusal(`keys ${what} secret`, set)).toMatch(
        /^AUTH_SECRET is set, so you have to change its secrets yourself:/,
      )
    expect((await run('keys list', set)).out).not.toContain('xxxx')
  })
})
