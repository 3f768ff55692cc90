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
} from '@latchkey/protocol/http/keys'
import { deviceAddedMail } from '../../mail/mailTemplates.ts'
import { mailFailure } from '../../mail/smtpMailer.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import type { Passkeys } from '../login/passkeyStore.ts'
import { isSameVault } from './isSameVault.ts'
import { createRecords } from './vaultRecords.ts'

const minute = 60_000

/** Adds the routes for an account: its sealed record, its devices and their server halves, its audit log, and signing out. */
export function vaultRoutes(app: KeysApp, services: KeysServices, passkeys: Passkeys): void {
  const { accounts, audit, connection, devices, limits, mailer, now, origin } = services
  const records = createRecords({ connection, now })

  defineKeysRoute(app, getMe, async ({ context }) => {
    const { user, since, until } = await context.requireSignedIn()
    return {
      user,
      record: (await records.of(user.id)) ?? null,
      devices: await devices.of(user.id, context.browser()),
      passkeys: await passkeys.of(user.id),
      since,
      expiresAt: until,
      now: now(),
    }
  })

  defineKeysRoute(app, putRecord, async ({ body, context }) => {
    const { user, browser } = await context.requireAccount(body.userId)
    if (body.record.length > maxRecordBytes) throw new KeysError('record/too-large', 'The record is too long')
    await limits.spend(
      // Writes are counted per signed-in browser, so that an attacker with access to the mailbox cannot use up the owner's limit.
      { action: 'record', key: `${user.id} ${browser}`, max: 60, windowMs: 10 * minute },
      // The daily limit bounds the storage used by replaced records, which are retained for 30 days.
      { action: 'record-a-day', key: `${user.id} ${browser}`, max: 200, windowMs: 24 * 60 * minute },
    )
    const before = await records.of(user.id)
    // If the record changes between this read and the write, its version changes too, and nothing is written.
    if (before?.version === body.expectedVersion && !isSameVault(before.record, body.record))
      throw new KeysError('input/invalid', 'The record belongs to a different vault')
    const version = await records.replace(user.id, body.record, body.expectedVersion)
    await audit.note(user.id, version === 1 ? 'vault-made' : 'vault-changed', `version ${version}`, context.place)
    return { version }
  })

  defineKeysRoute(app, postDevice, async ({ body, context }) => {
    const { user, browser } = await context.requireAccount(body.userId, { recent: true })
    await limits.spend({ action: 'device', key: `${user.id} ${browser}`, max: 20, windowMs: 60 * minute })
    const others = await devices.of(user.id, context.browser())
    const { serverHalf, isNew } = await devices.add({
      userId: user.id,
      id: body.deviceId,
      name: body.name,
      browser: context.browser(),
    })
    if (isNew) {
      await audit.note(user.id, 'device-added', body.name, context.place)
      if (others.some(({ revokedAt }) => revokedAt === null) && user.email !== null) {
        const mail = deviceAddedMail({
          to: user.email,
          place: context.place,
          site: new URL(origin).host,
          language: context.language,
        })
        await mailer.send(mail).catch((error: unknown) => {
          services.log('error', 'an email could not be sent', mailFailure(error))
        })
      }
    }
    return { serverHalf }
  })

  defineKeysRoute(app, postDeviceHalf, async ({ context, param }) => {
    const { user, browser } = await context.requireSignedIn()
    const id = param('id')
    await limits.spend(
      { action: 'half', key: `${user.id} ${id} ${browser}`, max: 60, windowMs: 60 * minute },
      { action: 'half-of', key: `${user.id} ${browser}`, max: 200, windowMs: 60 * minute },
    )
    try {
      const { serverHalf, before, name } = await devices.half({ userId: user.id, id, browser: context.browser() })
      // Logged at most once every ten minutes, because an entry per page load would bury important entries.
      if (now() - before > 10 * minute) await audit.note(user.id, 'half-given', name, context.place)
      return { serverHalf }
    } catch (error) {
      if (error instanceof KeysError && error.code === 'device/other-browser')
        await audit.note(user.id, 'half-refused', id, context.place)
      throw error
    }
  })

  defineKeysRoute(app, getDevices, async ({ context }) => {
    const { user } = await context.requireSignedIn()
    return { devices: await devices.of(user.id, context.browser()) }
  })

  defineKeysRoute(app, deleteDevice, async ({ context, param }) => {
    const { user, browser: by } = await context.requireSignedIn()
    const { browser, name } = await devices.revoke(user.id, param('id'))
    await accounts.endSessions(user.id, { browser, by })
    await audit.note(user.id, 'device-removed', name, context.place)
    return {}
  })

  defineKeysRoute(app, getAudit, async ({ context }) => {
    const { user } = await context.requireSignedIn()
    return { entries: await audit.of(user.id) }
  })

  defineKeysRoute(app, postSignOut, async ({ context }) => {
    const found = await context.signedIn()
    if (found) await audit.note(found.user.id, 'signed-out', undefined, context.place)
    context.setCookies.push(...(await accounts.signOut(context.headers)))
    return {}
  })

  defineKeysRoute(app, postSignOutEverywhere, async ({ context }) => {
    const { user, sessionId, browser } = await context.requireSignedIn()
    await accounts.endSessions(user.id, { except: sessionId, by: browser })
    await audit.note(user.id, 'signed-out-everywhere', undefined, context.place)
    context.setCookies.push(...(await accounts.signOut(context.headers)))
    return {}
  })
}
