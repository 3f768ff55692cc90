import { postEmail, postEmailCode, postEmailDevice } from '@latchkey/protocol/http/keys'
import * as v from 'valibot'
import { createCodes } from '../../emailCodes/emailCodes.ts'
import { codeMail } from '../../mail/mailTemplates.ts'
import type { Guesser } from '../accounts/mailboxGuessLimit.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import type { KeysServices } from '../keysServices.ts'
import type { RequestContext } from '../requestContext.ts'
import { createCodeMailer, requireEmail, spendMissingCode } from './codeMailer.ts'
import {
  type DeviceVerifications,
  sendDeviceVerificationLink,
  waitForDeviceVerification,
} from './deviceVerificationLinks.ts'
import { approvedMailRequester, mailRequester } from './mailRequester.ts'

const minute = 60_000

/**
 * The data stored with a sign-in code. If `isApproved` is set, the browser was approved through an emailed link, so the mailbox's
 * owner consented to the code.
 */
const codeSchema: v.GenericSchema<unknown, { email: string; isApproved: boolean; browser: string }> = v.object({
  email: v.string(),
  isApproved: v.optional(v.boolean(), false),
  /** A digest of the cookie of the browser that requested the code. */
  browser: v.optional(v.string(), ''),
})

/** Adds the routes for sign-in by email and for approving unknown browsers. */
export function emailLoginRoutes(app: KeysApp, services: KeysServices, verifications: DeviceVerifications): void {
  const { accounts, audit, browsers, connection, digest, guesses, identify, limits, now, origin, policy } = services
  const codes = createCodes({ connection, digest, purpose: 'sign-in', data: codeSchema, now })
  const mailer = createCodeMailer(services)

  const writeTo =
    ({ language }: RequestContext, email: string) =>
    (otp: string) =>
      codeMail({ to: email, otp, site: new URL(origin).host, language })
  const guesserOf = async (
    context: RequestContext,
    { email, isApproved }: { email: string; isApproved: boolean },
  ): Promise<Guesser> => {
    const requester = await mailRequester(browsers, context, email)
    return isApproved ? approvedMailRequester(context, email) : requester
  }

  defineKeysRoute(app, postEmail, async ({ body, context }) => {
    const email = requireEmail(body.email)
    const isHere = (await context.signedIn())?.user.email === email
    if (isHere && !body.again) return { action: 'CONNECT' }
    const requester = await mailRequester(browsers, context, email)
    const isKnown = isHere || requester.own !== undefined
    const needsLink = (!isKnown && policy.approveDevices(email)) || (await guesses.areSpent(requester))
    // If the operator has enabled visitor identification, each browser behind a shared address also has its own limit. The
    // client can choose the visitor ID, so the ID can only add a limit, never lift one.
    if (identify && body.visitorId && context.network)
      await limits.spend({
        action: 'mail-by',
        key: `${body.visitorId} ${context.network}`,
        max: 10,
        windowMs: 10 * minute,
      })
    if (needsLink) {
      await sendDeviceVerificationLink({ verifications, mailer, context, requester, origin, now })
      return { action: 'VERIFY_DEVICE' }
    }
    const data = { email, isApproved: false, browser: context.browser() }
    await mailer.sendCode(context, { codes, requester, email, data, write: writeTo(context, email) })
    return { action: 'VERIFY_OTP' }
  })

  defineKeysRoute(app, postEmailDevice, async ({ context }) => {
    const email = await waitForDeviceVerification({ verifications, context, services })
    if (email === undefined) return { status: 'waiting' }
    // The step allows only one try, so only the first poll that uses it sends a code.
    if (await verifications.spendTry(context.flow())) {
      // The mailbox's owner has just approved this browser. Its guesses are counted separately, so unknown browsers cannot use up
      // its limit.
      const requester = approvedMailRequester(context, email)
      const data = { email, isApproved: true, browser: context.browser() }
      await mailer.sendCode(context, { codes, requester, email, data, write: writeTo(context, email), atOnce: true })
    }
    return { status: 'approved' }
  })

  defineKeysRoute(app, postEmailCode, async ({ body, context }) => {
    const flow = context.flow()
    const { email, browser } = await codes.verify({
      flow,
      otp: body.otp,
      email: (data) => data.email,
      gone: () => spendMissingCode(services, context),
      tried: async (data) => guesses.spend(await guesserOf(context, data)),
      right: async (data) => guesses.giveBack(await guesserOf(context, data)),
      wrong: (data) => audit.noteByEmail(data.email, 'code-refused', flow),
    })
    const { user, isNew } = await accounts.withEmail(email)
    // If a different browser requested the code, this browser is signed in but does not become a known browser.
    const remember = browser === context.browser()
    context.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: context.browser(), remember })))
    await verifications.drop(flow)
    if (isNew) await audit.note(user.id, 'account-made', undefined, context.place)
    await audit.note(user.id, 'signed-in-by-email', undefined, context.place)
    return { user }
  })
}
