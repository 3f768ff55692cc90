import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/readConfig.ts'
import { startKeys } from '../../testing/keysServer.ts'
import { localEscrowKeyService } from '../assistedShareKeyService.ts'

const share = () => randomBytes(33).toString('base64url')
const named = () => randomBytes(16).toString('base64url')
const escrowKeyService = localEscrowKeyService(randomBytes(32).toString('base64url'))

test('assisted custody is off by default, and no shares can be stored or released', async () => {
  const keys = await startKeys()
  const browser = keys.browser()
  const { id } = await keys.signIn(browser, 'ada@people.example')
  expect((await browser.send('GET', '/vault/config')).body.custody).toBe('self')
  const shares = { userId: id, wallet: named(), wrapper: named(), server: share(), escrow: share() }
  expect((await browser.send('POST', '/vault/shares', shares)).body.code).toBe('path/unknown')
  expect((await browser.send('GET', '/vault/shares/log')).body.code).toBe('path/unknown')
  await keys.close()
}, 60_000)

test('enabling assisted custody requires a key for the key service', () => {
  const env = { KEYS_URL: 'https://keys.shop.example', SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example' }
  expect(readConfig(env).keys?.escrowKey).toBeUndefined()
  // A key on its own does not enable assisted custody.
  expect(readConfig({ ...env, ESCROW_KEY: 'a'.repeat(43) }).keys?.escrowKey).toBeUndefined()
  expect(() => readConfig({ ...env, CUSTODY: 'assisted' })).toThrow('ESCROW_KEY must be set if CUSTODY is assisted.')
  expect(readConfig({ ...env, CUSTODY: 'assisted', ESCROW_KEY: 'a'.repeat(43) }).keys?.escrowKey).toBe('a'.repeat(43))
})

test('shares are released only after a recent sign-in to the same account, and every access is logged separately', async () => {
  const keys = await startKeys({ escrowKeyService })
  const [ada, eve] = [keys.browser(), keys.browser()]
  const { id } = await keys.signIn(ada, 'ada@people.example')
  const { id: evesId } = await keys.signIn(eve, 'eve@people.example')
  expect((await ada.send('GET', '/vault/config')).body.custody).toBe('assisted')
  const [wrapper, wallet, server, escrow] = [named(), named(), share(), share()]
  const response = await ada.send('POST', '/vault/shares', { userId: id, wallet, wrapper, server, escrow })
  expect(response.status).toBe(200)

  const release = (recover: boolean, userId = id) => ({ userId, wrapper, recover })
  expect((await ada.send('POST', '/vault/shares/release', release(false))).body).toEqual({ server, escrow: null })
  expect((await ada.send('POST', '/vault/shares/release', release(true))).body).toEqual({ server, escrow })
  expect((await eve.send('POST', '/vault/shares/release', release(true, evesId))).body.code).toBe('device/unknown')
  expect((await eve.send('POST', '/vault/shares/release', release(true))).body.code).toBe('session/other-account')
  keys.pass(11 * 60_000)
  expect((await ada.send('POST', '/vault/shares/release', release(true))).body.code).toBe('session/stale')

  const { body } = await ada.send('GET', '/vault/shares/log')
  expect(body.entries.map(({ event }: { event: string }) => event)).toEqual(['recovered', 'released', 'kept'])
  expect(keys.log.filter((line) => line.includes('assisted custody'))).toHaveLength(4)
  // The key service's share is stored sealed, so the database alone cannot open a vault.
  const { rows } = (await keys.connection.use((database) =>
    database.execute('select server, escrow from vault_shares'),
  )) as unknown as { rows: { server: string; escrow: string }[] }
  expect(rows[0]?.server).toBe(server)
  expect(rows[0]?.escrow).not.toContain(escrow)
  await keys.close()
}, 60_000)

test('a share that the key service sealed for one user cannot be opened for a different user', async () => {
  const subject = { user: 'ada', wallet: named() }
  const [plain, other] = [share(), { user: 'eve', wallet: subject.wallet }]
  const sealed = await escrowKeyService.seal(plain, subject)
  expect(await escrowKeyService.open(sealed, subject)).toBe(plain)
  await expect(escrowKeyService.open(sealed, other)).rejects.toThrow()
})
