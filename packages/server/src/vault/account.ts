import {
  deleteDevice,
  getAudit,
  getDevices,
  getMe,
  maxRecordBytes,
  postDevice,
  postDeviceHalf,
  postSignOut,
  postSignOutEverywhere,
  putRecord,
} from '@latchkey/protocol/http/vault'
import { serve, type VaultApp } from './calls.ts'
import { mailFailure } from './mailer.ts'
import { deviceAddedMail } from './mails.ts'
import type { Passkeys } from './passkeys.ts'
import { createRecords } from './records.ts'
import { Refusal } from './refusal.ts'
import { isSameVault } from './sameVault.ts'
import type { Vault } from './vault.ts'

const minute = 60_000

/** The account itself: its sealed record, its devices and their halves, what happened to it. */
export function accountRoutes(app: VaultApp, vault: Vault, passkeys: Passkeys): void {
  const { accounts, audit, connection, devices, limits, mailer, now, origin } = vault
  const records = createRecords({ connection, now })

  serve(app, getMe, async ({ visit }) => {
    const { user, since, until } = await visit.mustBeSignedIn()
    return {
      user,
      record: (await records.of(user.id)) ?? null,
      devices: await devices.of(user.id, visit.browser()),
      passkeys: await passkeys.of(user.id),
      since,
      expiresAt: until,
      now: now(),
    }
  })

  serve(app, putRecord, async ({ body, visit }) => {
    const { user, browser } = await visit.mustBe(body.userId)
    if (body.record.length > maxRecordBytes) throw new Refusal('record/too-large', 'The record is too long')
    await limits.spend(
      // By the browser that signed in: a thief of the mailbox does not stop the owner's.
      { what: 'record', whom: `${user.id} ${browser}`, most: 60, windowMs: 10 * minute },
      // What is replaced is kept for a while.
      { what: 'record-a-day', whom: `${user.id} ${browser}`, most: 200, windowMs: 24 * 60 * minute },
    )
    const before = await records.of(user.id)
    // Between the two it may change: then its version does, and nothing is written.
    if (before?.version === body.expectedVersion && !isSameVault(before.record, body.record))
      throw new Refusal('input/invalid', 'The record is another vault')
    const version = await records.replace(user.id, body.record, body.expectedVersion)
    await audit.note(user.id, version === 1 ? 'vault-made' : 'vault-changed', `version ${version}`, visit.place)
    return { version }
  })

  serve(app, postDevice, async ({ body, visit }) => {
    const { user, browser } = await visit.mustBe(body.userId, { fresh: true })
    await limits.spend({ what: 'device', whom: `${user.id} ${browser}`, most: 20, windowMs: 60 * minute })
    const others = await devices.of(user.id, visit.browser())
    const { serverHalf, isNew } = await devices.add({
      userId: user.id,
      id: body.deviceId,
      name: body.name,
      publicKey: body.publicKey,
      browser: visit.browser(),
    })
    if (isNew) {
      await audit.note(user.id, 'device-added', body.name, visit.place)
      if (others.some(({ revokedAt }) => revokedAt === null) && user.email !== null) {
        const mail = deviceAddedMail({ to: user.email, place: visit.place, site: new URL(origin).host })
        await mailer.send(mail).catch((error: unknown) => {
          vault.log('error', 'a mail was not taken', mailFailure(error))
        })
      }
    }
    return { serverHalf }
  })

  serve(app, postDeviceHalf, async ({ visit, param }) => {
    const { user, browser } = await visit.mustBeSignedIn()
    const id = param('id')
    await limits.spend(
      { what: 'half', whom: `${user.id} ${id} ${browser}`, most: 60, windowMs: 60 * minute },
      { what: 'half-of', whom: `${user.id} ${browser}`, most: 200, windowMs: 60 * minute },
    )
    try {
      const { serverHalf, before, name } = await devices.half({ userId: user.id, id, browser: visit.browser() })
      // Once in a while: a trail of every page that was loaded would hide what matters.
      if (now() - before > 10 * minute) await audit.note(user.id, 'half-given', name, visit.place)
      return { serverHalf }
    } catch (error) {
      if (error instanceof Refusal && error.code === 'device/other-browser')
        await audit.note(user.id, 'half-refused', id, visit.place)
      throw error
    }
  })

  serve(app, getDevices, async ({ visit }) => {
    const { user } = await visit.mustBeSignedIn()
    return { devices: await devices.of(user.id, visit.browser()) }
  })

  serve(app, deleteDevice, async ({ visit, param }) => {
    const { user, browser: by } = await visit.mustBeSignedIn()
    const { browser, name } = await devices.revoke(user.id, param('id'))
    await accounts.endSessions(user.id, { browser, by })
    await audit.note(user.id, 'device-removed', name, visit.place)
    return {}
  })

  serve(app, getAudit, async ({ visit }) => {
    const { user } = await visit.mustBeSignedIn()
    return { entries: await audit.of(user.id) }
  })

  serve(app, postSignOut, async ({ visit }) => {
    const found = await visit.signedIn()
    if (found) await audit.note(found.user.id, 'signed-out', undefined, visit.place)
    visit.setCookies.push(...(await accounts.signOut(visit.headers)))
    return {}
  })

  serve(app, postSignOutEverywhere, async ({ visit }) => {
    const { user, sessionId, browser } = await visit.mustBeSignedIn()
    await accounts.endSessions(user.id, { except: sessionId, by: browser })
    await audit.note(user.id, 'signed-out-everywhere', undefined, visit.place)
    visit.setCookies.push(...(await accounts.signOut(visit.headers)))
    return {}
  })
}
