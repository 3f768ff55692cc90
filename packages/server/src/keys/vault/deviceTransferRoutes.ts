import {
  deleteTransfer,
  getTransfer,
  getTransfers,
  type KeysTransfer,
  postTransfer,
  postTransferStep,
  transferSteps,
} from '@latchkey/protocol/http/keys'
import { deviceAskedMail } from '../../mail/mailTemplates.ts'
import { randomToken } from '../../storage/secretDigests.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import { pollUntil } from '../http/pollUntil.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import { createDeviceTransferStore, type DeviceTransfer, transferTopic } from './deviceTransferStore.ts'
import { createNewDeviceWaitingPeriod } from './newDeviceWaitingPeriod.ts'

const lifeMs = 10 * 60_000
const waitMs = 25_000

/**
 * Adds the routes for transfers between two devices of an account. The contents are sealed or public, and the server enforces the
 * order of the steps.
 */
export function deviceTransferRoutes(app: KeysApp, services: KeysServices): void {
  const { audit, limits, log, mailer, now, origin } = services
  const transfers = createDeviceTransferStore(services)
  const waitingPeriod = createNewDeviceWaitingPeriod(services)

  async function find(userId: string, id: string): Promise<DeviceTransfer> {
    const transfer = await transfers.find(userId, id)
    if (!transfer) throw new KeysError('transfer/unknown', 'There is no such request')
    return transfer
  }

  const describe = async (transfer: DeviceTransfer, browser: string): Promise<KeysTransfer> => ({
    ...publicFields(transfer, browser),
    heldUntil: await waitingPeriod.heldUntil(transfer),
  })

  defineKeysRoute(app, postTransfer, async ({ body, context }) => {
    const { user, browser: signedIn } = await context.requireRecentSignIn()
    await limits.spend(
      // Counted for the browser that signed in, so that a browser of an attacker with access to the mailbox does not use up the
      // limit of the owner's new device. Deleting the browser cookie does not help, because the session stays with that browser.
      { action: 'transfer', key: `${user.id} ${signedIn}`, max: 10, windowMs: lifeMs },
      { action: 'transfer-all', key: user.id, max: 100, windowMs: lifeMs },
    )
    const browser = context.browser()
    const transfer: DeviceTransfer = {
      id: randomToken(),
      userId: user.id,
      browser,
      // The client cannot choose the name, because an attacker could use the name to send the owner a message.
      name: context.place,
      commitment: body.commitment,
      offer: null,
      reveal: null,
      sealed: null,
      createdAt: now(),
      expiresAt: now() + lifeMs,
    }
    await transfers.create(transfer)
    await audit.note(user.id, 'transfer-asked', context.place, context.place)
    const until = await waitingPeriod.start(transfer)
    if (until !== undefined && user.email !== null)
      await mailer
        .send(
          deviceAskedMail({
            to: user.email,
            place: context.place,
            site: new URL(origin).host,
            language: context.language,
            until,
          }),
        )
        .catch((error: unknown) => {
          log('error', 'an email could not be sent', { error: error instanceof Error ? error.name : 'unknown' })
        })
    return { transfer: await describe(transfer, browser) }
  })

  defineKeysRoute(app, getTransfers, async ({ context }) => {
    const { user } = await context.requireSignedIn()
    const pending = await transfers.of(user.id)
    return { transfers: await Promise.all(pending.map((transfer) => describe(transfer, context.browser()))) }
  })

  defineKeysRoute(app, getTransfer, async ({ context, param }) => {
    const { user } = await context.requireSignedIn()
    const id = param('id')
    const seen = Math.min(Number(param('steps')) || 0, transferSteps.length)
    const poll = { topic: transferTopic(id), ms: waitMs, signal: context.signal }
    const found = await pollUntil(services, poll, async (isLast) => {
      const transfer = await find(user.id, id)
      const taken = transferSteps.filter((step) => transfer[step] !== null).length
      return taken > seen || taken === transferSteps.length || isLast ? transfer : undefined
    })
    if (!found) throw new KeysError('transfer/unknown', 'There is no such request')
    return { transfer: await describe(found, context.browser()) }
  })

  defineKeysRoute(app, postTransferStep, async ({ body, context, param }) => {
    const { user } = await context.requireSignedIn()
    const step = transferSteps.find((name) => name === param('step'))
    if (!step) throw new KeysError('path/unknown', 'Unknown step')
    const transfer = await find(user.id, param('id'))
    const isNewDevice = transfer.browser === context.browser()
    const outOfTurn = () => new KeysError('transfer/out-of-turn', 'This step is out of order')
    if (isNewDevice !== (step === 'reveal')) throw outOfTurn()
    const before = transferSteps[transferSteps.indexOf(step) - 1]
    if (before && transfer[before] === null) throw outOfTurn()
    // The approving device itself reports how it was opened. Its report can be trusted because the owner is using the device.
    const until = step === 'offer' && body.openedWith !== 'key' ? await waitingPeriod.heldUntil(transfer) : undefined
    if (until !== undefined)
      throw new KeysError('transfer/held', 'This device must wait', { seconds: Math.ceil((until - now()) / 1000) })
    const changed = await transfers.recordStep(transfer, step, body.value)
    if (!changed) throw outOfTurn()
    if (step === 'sealed') await audit.note(user.id, 'transfer-sealed', transfer.name, context.place)
    return { transfer: await describe(changed, context.browser()) }
  })

  defineKeysRoute(app, deleteTransfer, async ({ context, param }) => {
    const { user } = await context.requireSignedIn()
    const removed = await transfers.remove(user.id, param('id'))
    if (removed && removed.browser !== context.browser()) {
      // A rejected device has to start its waiting period again.
      await waitingPeriod.reset(removed)
      await audit.note(user.id, 'transfer-refused', removed.name, context.place)
    }
    return {}
  })
}

function publicFields(transfer: DeviceTransfer, browser: string): KeysTransfer {
  const { id, name, commitment, offer, reveal, sealed, createdAt, expiresAt } = transfer
  return { id, name, commitment, offer, reveal, sealed, createdAt, expiresAt, isMine: transfer.browser === browser }
}
