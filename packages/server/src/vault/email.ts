import {
  codeLifeMs,
  postEmail,
  postEmailChange,
  postEmailChangePrimary,
  postEmailChangeSecondary,
  postEmailCode,
  postEmailDevice,
  resendAfterMs,
} from '@latchkey/protocol/http/vault'
import * as v from 'valibot'
import { serve, type VaultApp } from './calls.ts'
import { type Codes, createCodes } from './codes.ts'
import {
  addressChangedMail,
  addressTakenMail,
  approvalMail,
  changePrimaryMail,
  changeSecondaryMail,
  codeMail,
} from './mails.ts'
import { createPending, type Pending } from './pending.ts'
import type { Mail } from './ports.ts'
import { Refusal } from './refusal.ts'
import { randomToken } from './secrets.ts'
import type { Vault } from './vault.ts'
import type { Visit } from './visit.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** How long one request waits for somebody to follow a link. */
const waitMs = 25_000

const toAddress: v.GenericSchema<unknown, { email: string }> = v.object({ email: v.string() })
const toChange: v.GenericSchema<unknown, { userId: string; from: string | null; email: string }> = v.object({
  userId: v.string(),
  from: v.nullable(v.string()),
  email: v.string(),
})
const toApprove: v.GenericSchema<unknown, { email: string; isApproved: boolean }> = v.object({
  email: v.string(),
  isApproved: v.boolean(),
})

/** Browsers that wait for a mailed link. */
export type Approvals = Pending<{ email: string; isApproved: boolean }>

/** Browsers that wait for a mailed link. */
export function createApprovals({ connection, now }: Pick<Vault, 'connection' | 'now'>): Approvals {
  return createPending({ connection, kind: 'approval', data: toApprove, lifeMs: codeLifeMs, now })
}

/** Sign-in by e-mail, approval of unknown browsers, change of address. */
export function emailRoutes(app: VaultApp, vault: Vault, approvals: Approvals): void {
  const { accounts, audit, connection, digest, devices, identify, limits, mailer, now, origin, policy } = vault
  const site = new URL(origin).host
  const codes = createCodes({ connection, digest, purpose: 'sign-in', data: toAddress, now })
  const primary = createCodes({ connection, digest, purpose: 'change-primary', data: toChange, now })
  const secondary = createCodes({ connection, digest, purpose: 'change-secondary', data: toChange, now })

  async function mayMail(visit: Visit, whom: string): Promise<void> {
    await limits.spend(
      { what: 'mail-to', whom, most: 5, windowMs: 10 * minute },
      { what: 'mail-to-a-day', whom, most: 30, windowMs: day },
      { what: 'mail-from', whom: visit.network, most: 30, windowMs: 10 * minute },
      { what: 'mail-in-all', most: policy.mailsPerHour, windowMs: 60 * minute },
    )
  }

  async function send(written: Mail, undo: () => Promise<void>): Promise<void> {
    try {
      await mailer.send(written)
    } catch (error) {
      await undo()
      vault.log('error', 'a mail was not taken', { error: error instanceof Error ? error.name : 'unknown' })
      throw new Refusal('mail/failed', 'The mail could not be sent')
    }
  }

  // A browser that an account knows has limits of its own: strangers who flood an address do not lock its owner out.
  async function bucket(visit: Visit, email: string): Promise<string> {
    return (await devices.isKnown(visit.browser(), email)) ? `${email} ${visit.browser()}` : email
  }

  async function sendCode<Data>(
    visit: Visit,
    asked: {
      codes: Codes<Data>
      whom: string
      email: string
      data: Data
      write: (otp: string) => Mail
      /** Where a link has just been followed for it, which took its own time. */
      atOnce?: boolean
    },
  ): Promise<void> {
    const flow = visit.flow()
    if (!asked.atOnce) await asked.codes.mayIssue(flow)
    await mayMail(visit, asked.whom)
    const otp = await asked.codes.issue({ flow, email: asked.email, data: asked.data })
    await send(asked.write(otp), () => asked.codes.drop(flow))
  }

  async function mayGuess(visit: Visit, whom: string): Promise<void> {
    await limits.spend(
      { what: 'guess', whom, most: 50, windowMs: day },
      { what: 'guess-from', whom: visit.network, most: 100, windowMs: 10 * minute },
    )
  }

  serve(app, postEmail, async ({ body, visit }) => {
    const email = body.email.toLowerCase()
    const isHere = (await visit.signedIn())?.user.email === email
    if (isHere && !body.again) return { action: 'CONNECT' }
    const known = isHere || (await devices.isKnown(visit.browser(), email))
    const whom = await bucket(visit, email)
    // One machine of many behind one address, where the operator has visitors identified. A hint of the visitor's own
    // browser, so it only narrows what the address may.
    if (identify && body.visitorId && visit.network)
      await limits.spend({
        what: 'mail-by',
        whom: `${body.visitorId} ${visit.network}`,
        most: 10,
        windowMs: 10 * minute,
      })
    if (known || !policy.approveDevices(email)) {
      const write = (otp: string) => codeMail({ to: email, otp, site })
      await sendCode(visit, { codes, whom, email, data: { email }, write })
      return { action: 'VERIFY_OTP' }
    }
    const flow = visit.flow()
    const last = await approvals.find(flow)
    const left = Math.ceil(((last?.sentAt ?? 0) + resendAfterMs - now()) / 1000)
    if (last && left > 0)
      throw new Refusal('email/throttled', `Please try again after ${left} seconds`, { seconds: left })
    await mayMail(visit, whom)
    const token = randomToken()
    await approvals.put({ flow, secret: digest('approval', token), data: { email, isApproved: false } })
    const url = `${origin}/vault/approve?token=${token}`
    await send(approvalMail({ to: email, url, site }), () => approvals.drop(flow))
    return { action: 'VERIFY_DEVICE' }
  })

  serve(app, postEmailDevice, async ({ visit }) => {
    const flow = visit.flow()
    const until = now() + waitMs
    for (;;) {
      const step = await approvals.find(flow)
      if (!step) throw new Refusal('approval/expired', 'No approval is waited for here')
      if (step.data.isApproved) {
        // The one try of the step is the one code that it is good for, whoever asks first.
        if (await approvals.spendTry(flow)) {
          const { email } = step.data
          const write = (otp: string) => codeMail({ to: email, otp, site })
          await sendCode(visit, { codes, whom: email, email, data: { email }, write, atOnce: true })
        }
        return { status: 'approved' }
      }
      if (now() >= until || visit.signal.aborted) return { status: 'waiting' }
      await vault.wake(`approval ${flow}`, visit.signal)
    }
  })

  serve(app, postEmailCode, async ({ body, visit }) => {
    const flow = visit.flow()
    const waiting = await codes.waiting(flow)
    await mayGuess(visit, waiting ? await bucket(visit, waiting.data.email) : flow)
    const { email } = await codes.redeem({
      flow,
      otp: body.otp,
      email: (data) => data.email,
      wrong: (data) => audit.noteByEmail(data.email, 'code-refused'),
    })
    const { user, isNew } = await accounts.withEmail(email)
    visit.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: visit.browser() })))
    await approvals.drop(flow)
    if (isNew) await audit.note(user.id, 'account-made', undefined, visit.place)
    await audit.note(user.id, 'signed-in-by-email', undefined, visit.place)
    return { user }
  })

  serve(app, postEmailChange, async ({ body, visit }) => {
    const { user } = await visit.mustBeSignedIn()
    const email = body.email.toLowerCase()
    if (email === user.email) throw new Refusal('email/invalid', 'It is your address already')
    const data = { userId: user.id, from: user.email, email }
    await audit.note(user.id, 'email-change-asked', undefined, visit.place)
    if (user.email === null) {
      await visit.mustBeFresh()
      await toNewAddress(visit, data)
      return { action: 'VERIFY_SECONDARY_OTP' }
    }
    const to = user.email
    const write = (otp: string) => changePrimaryMail({ to, otp, site })
    await sendCode(visit, { codes: primary, whom: `change ${user.id}`, email: to, data, write })
    return { action: 'VERIFY_PRIMARY_OTP' }
  })

  serve(app, postEmailChangePrimary, async ({ body, visit }) => {
    const { user } = await visit.mustBeSignedIn()
    await mayGuess(visit, `change ${user.id}`)
    const flow = visit.flow()
    const data = await primary.redeem({ flow, otp: body.otp, email: ({ from }) => from ?? '' })
    if (data.userId !== user.id) throw new Refusal('session/other-account', 'Another account is signed in')
    await toNewAddress(visit, data)
    return {}
  })

  async function toNewAddress(
    visit: Visit,
    data: { userId: string; from: string | null; email: string },
  ): Promise<void> {
    const { email } = data
    const isTaken = (await accounts.userByEmail(email)) !== undefined
    // The same code, limits and answer either way; only the mailbox's owner learns that there is an account.
    const write = (otp: string) =>
      isTaken ? addressTakenMail({ to: email, site }) : changeSecondaryMail({ to: email, otp, site })
    await sendCode(visit, { codes: secondary, whom: email, email, data, write })
  }

  serve(app, postEmailChangeSecondary, async ({ body, visit }) => {
    const { user, sessionId } = await visit.mustBeSignedIn()
    await mayGuess(visit, `change ${user.id}`)
    const data = await secondary.redeem({ flow: visit.flow(), otp: body.otp, email: ({ email }) => email })
    if (data.userId !== user.id || data.from !== user.email)
      throw new Refusal('session/other-account', 'Another account is signed in')
    if (await accounts.userByEmail(data.email)) throw new Refusal('code/expired', 'The address was taken meanwhile')
    await accounts.changeEmail(user.id, data.email)
    await accounts.endSessions(user.id, { except: sessionId })
    await audit.note(user.id, 'email-changed', undefined, visit.place)
    if (data.from !== null) {
      await mailer.send(addressChangedMail({ to: data.from, site })).catch((error: unknown) => {
        vault.log('error', 'a mail was not taken', { error: error instanceof Error ? error.name : 'unknown' })
      })
    }
    return { newEmail: data.email }
  })
}
