import { codeLifeMs } from '@latchkey/protocol/http/keys'
import * as v from 'valibot'
import type { MailRequester } from '../../emailCodes/mailRateLimits.ts'
import { secondsUntilResend } from '../../emailCodes/secondsUntilResend.ts'
import { approvalMail } from '../../mail/mailTemplates.ts'
import { createPendingStepStore, type PendingStepStore } from '../../storage/pendingStepStore.ts'
import { hashOf, randomToken } from '../../storage/secretDigests.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import type { RequestContext } from '../requestContext.ts'
import type { CodeMailer } from './codeMailer.ts'

const approvalSchema: v.GenericSchema<unknown, { email: string; isApproved: boolean }> = v.object({
  email: v.string(),
  isApproved: v.boolean(),
})

/** The timeout for a long poll that waits for an approval, in milliseconds. */
const waitMs = 25_000

/** The approval links that are pending, each bound to a browser. */
export type DeviceVerifications = PendingStepStore<{ email: string; isApproved: boolean }>

/** Creates a store for pending approval links. */
export function createDeviceVerifications({
  connection,
  now,
}: Pick<KeysServices, 'connection' | 'now'>): DeviceVerifications {
  return createPendingStepStore({ connection, kind: 'approval', data: approvalSchema, lifetimeMs: codeLifeMs, now })
}

/** Emails a link to a page on which the user can approve this browser. */
export async function sendDeviceVerificationLink({
  verifications,
  mailer,
  context,
  requester,
  origin,
  now,
}: {
  verifications: DeviceVerifications
  mailer: CodeMailer
  context: RequestContext
  requester: MailRequester
  origin: string
  now: () => number
}): Promise<void> {
  const { email } = requester
  const flow = context.flow()
  const seconds = secondsUntilResend((await verifications.find(flow))?.sentAt, now())
  if (seconds > 0) throw new KeysError('email/throttled', `Please try again after ${seconds} seconds`, { seconds })
  await mailer.spend(context, requester)
  const token = randomToken()
  await verifications.put({ flow, secret: hashOf('approval', token), data: { email, isApproved: false } })
  const url = `${origin}/vault/approve?token=${token}`
  const mail = approvalMail({ to: email, url, site: new URL(origin).host, language: context.language })
  await mailer.send(mail, () => verifications.drop(flow))
}

/**
 * Waits until this browser is approved. Resolves to the email address that the link was sent to, or to `undefined` after a
 * timeout.
 */
export async function waitForDeviceVerification({
  verifications,
  context,
  services: { now, wake },
}: {
  verifications: DeviceVerifications
  context: RequestContext
  services: Pick<KeysServices, 'now' | 'wake'>
}): Promise<string | undefined> {
  const flow = context.flow()
  const until = now() + waitMs
  for (;;) {
    const step = await verifications.find(flow)
    if (!step) throw new KeysError('approval/expired', 'There is no pending approval')
    if (step.data.isApproved) return step.data.email
    if (now() >= until || context.signal.aborted) return undefined
    await wake(`approval ${flow}`, context.signal)
  }
}
