import { postEmailChange, postEmailChangePrimary, postEmailChangeSecondary } from '@latchkey/protocol/http/keys'
import * as v from 'valibot'
import { createCodes } from '../../emailCodes/emailCodes.ts'
import {
  addressChangedMail,
  addressTakenMail,
  changePrimaryMail,
  changeSecondaryMail,
} from '../../mail/mailTemplates.ts'
import { mailFailure } from '../../mail/smtpMailer.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import type { RequestContext } from '../requestContext.ts'
import { createCodeMailer, requireEmail, spendMissingCode } from './codeMailer.ts'

interface EmailChange {
  readonly userId: string
  readonly from: string | null
  readonly email: string
}

const changeSchema: v.GenericSchema<unknown, EmailChange> = v.object({
  userId: v.string(),
  from: v.nullable(v.string()),
  email: v.string(),
})

/**
 * Adds the routes for changing an account's email address. The user enters a code sent to the current address, if there is one,
 * and then a code sent to the new address.
 */
export function emailChangeRoutes(app: KeysApp, services: KeysServices): void {
  const { accounts, audit, browsers, connection, digest, guesses, mailer, now, origin } = services
  const site = new URL(origin).host
  const primary = createCodes({ connection, digest, purpose: 'change-primary', data: changeSchema, now })
  const secondary = createCodes({ connection, digest, purpose: 'change-secondary', data: changeSchema, now })
  const { sendCode } = createCodeMailer(services)

  async function sendToNewAddress(context: RequestContext, data: EmailChange): Promise<void> {
    const { email } = data
    const { language } = context
    const isTaken = (await accounts.userByEmail(email)) !== undefined
    // Whether or not the address belongs to an account, a code is created, and the limits and the response are the same. Only the
    // mailbox's owner learns that the account exists.
    const write = (otp: string) =>
      isTaken
        ? addressTakenMail({ to: email, site, language })
        : changeSecondaryMail({ to: email, otp, site, language })
    await sendCode(context, { codes: secondary, requester: { email }, email, data, write })
  }

  defineKeysRoute(app, postEmailChange, async ({ body, context }) => {
    const { user, browser } = await context.requireSignedIn()
    const email = requireEmail(body.email)
    if (email === user.email) throw new KeysError('email/invalid', 'This is already your address')
    const data = { userId: user.id, from: user.email, email }
    // Logged only after an email was sent, because emails are limited. Requests are not, and would bury other entries.
    const note = () => audit.note(user.id, 'email-change-asked', undefined, context.place)
    if (user.email === null) {
      await context.requireRecentSignIn()
      await sendToNewAddress(context, data)
      await note()
      return { action: 'VERIFY_SECONDARY_OTP' }
    }
    const to = user.email
    const write = (otp: string) => changePrimaryMail({ to, otp, site, language: context.language })
    const known = await browsers.known(browser, to)
    const requester = { email: to, own: `change ${user.id} ${browser}`, isLong: known?.isLong ?? false }
    await sendCode(context, { codes: primary, requester, email: to, data, write })
    await note()
    return { action: 'VERIFY_PRIMARY_OTP' }
  })

  defineKeysRoute(app, postEmailChangePrimary, async ({ body, context }) => {
    const { user, browser } = await context.requireSignedIn()
    // Wrong codes are counted separately for each signed-in browser, so that an attacker who has signed in to the account cannot
    // exhaust the owner's limit.
    const guesser = { email: user.email ?? '', own: `change ${user.id} ${browser}`, isAlone: true }
    const data = await primary.verify({
      flow: context.flow(),
      otp: body.otp,
      email: ({ from }) => from ?? '',
      gone: () => spendMissingCode(services, context),
      tried: () => guesses.spend(guesser),
      right: () => guesses.giveBack(guesser),
    })
    if (data.userId !== user.id) throw new KeysError('session/other-account', 'Another account is signed in')
    await sendToNewAddress(context, data)
    return {}
  })

  defineKeysRoute(app, postEmailChangeSecondary, async ({ body, context }) => {
    const { user, sessionId, browser } = await context.requireSignedIn()
    const data = await secondary.verify({
      flow: context.flow(),
      otp: body.otp,
      email: ({ email }) => email,
      gone: () => spendMissingCode(services, context),
      // Wrong codes count as guesses by an unknown browser, because the user has not proven access to this mailbox yet.
      tried: ({ email }) => guesses.spend({ email }),
      right: ({ email }) => guesses.giveBack({ email }),
    })
    if (data.userId !== user.id || data.from !== user.email)
      throw new KeysError('session/other-account', 'Another account is signed in')
    if (await accounts.userByEmail(data.email))
      throw new KeysError('code/expired', 'The address was taken in the meantime')
    await accounts.changeEmail(user.id, data.email)
    await accounts.endSessions(user.id, { except: sessionId, by: browser })
    await audit.note(user.id, 'email-changed', undefined, context.place)
    if (data.from !== null) {
      await mailer
        .send(addressChangedMail({ to: data.from, site, language: context.language }))
        .catch((error: unknown) => {
          services.log('error', 'an email could not be sent', mailFailure(error))
        })
    }
    return { newEmail: data.email }
  })
}
