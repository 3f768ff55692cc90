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
import {
  addressChangedMail,
  addressTakenMail,
  approvalMail,
  changePrimaryMail,
  changeSecondaryMail,
  codeMail,
} from '../mail/mailTemplates.ts'
import { normalizeEmail } from '../mail/normalizeEmail.ts'
import { mailFailure } from '../mail/smtpMailer.ts'
import { defineRoute, type VaultApp } from '../vault/defineRoute.ts'
import type { RequestContext } from '../vault/requestContext.ts'
import { hashOf, randomToken } from '../vault/secretDigests.ts'
import type { Mail } from '../vault/vaultDependencies.ts'
import { VaultError } from '../vault/vaultError.ts'
import type { Vault } from '../vault/vaultServices.ts'
import { type ChallengeStore, createChallengeStore } from './challengeStore.ts'
import type { Guesser } from './codeGuessLimit.ts'
import { type Codes, createCodes } from './emailCodes.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Timeout of one long poll for an approval. */
const waitMs = 25_000

/**
 * The data of a sign-in code. `isApproved` means that a mailed link was followed first, so only the mailbox's owner can have requested the
 * code.
 */
const toAddress: v.GenericSchema<unknown, { email: string; isApproved: boolean; browser: string }> = v.object({
  email: v.string(),
  isApproved: v.optional(v.boolean(), false),
  /** The browser that requested the code. */
  browser: v.optional(v.string(), ''),
})
const toChange: v.GenericSchema<unknown, { userId: string; from: string | null; email: string }> = v.object({
  userId: v.string(),
  from: v.nullable(v.string()),
  email: v.string(),
})
const toApprove: v.GenericSchema<unknown, { email: string; isApproved: boolean }> = v.object({
  email: v.string(),
  isApproved: v.boolean(),
})

/** The browser requesting a mail: known for more than a day, known for less, approved by a mailed link, or unknown. */
interface Asker extends Guesser {
  readonly isLong?: boolean
  readonly isApproved?: boolean
}

function requireEmail(email: string): string {
  const normalized = normalizeEmail(email)
  if (normalized === undefined) throw new VaultError('email/invalid', 'Invalid email')
  return normalized
}

/** Browsers with a pending approval link. */
export type Approvals = ChallengeStore<{ email: string; isApproved: boolean }>

/** A store of browsers with a pending approval link. */
export function createApprovals({ connection, now }: Pick<Vault, 'connection' | 'now'>): Approvals {
  return createChallengeStore({ connection, kind: 'approval', data: toApprove, lifetimeMs: codeLifeMs, now })
}

/** The routes for sign-in by email, approval of unknown browsers, and changing the address. */
export function emailRoutes(app: VaultApp, vault: Vault, approvals: Approvals): void {
  const { accounts, audit, browsers, connection, digest, guesses, identify, limits, mailer, now, origin, policy } =
    vault
  const site = new URL(origin).host
  const codes = createCodes({ connection, digest, purpose: 'sign-in', data: toAddress, now })
  const primary = createCodes({ connection, digest, purpose: 'change-primary', data: toChange, now })
  const secondary = createCodes({ connection, digest, purpose: 'change-secondary', data: toChange, now })

  /** A browser that has signed in to this mailbox's account before has its own counter, so that unknown browsers cannot exhaust it. */
  async function counting(context: RequestContext, email: string): Promise<Asker> {
    const known = await browsers.known(context.browser(), email)
    return known ? { email, own: `${email} ${context.browser()}`, isLong: known.isLong } : { email }
  }

  /** A browser approved by a mailed link. It has its own counter, shared with no other browser. */
  function countingApproved(context: RequestContext, email: string): Asker {
    return { email, own: `approved ${email} ${context.browser()}`, isAlone: true, isApproved: true }
  }

  async function spendMail(
    context: RequestContext,
    { email, own, isLong = false, isApproved = false }: Asker,
  ): Promise<void> {
    if (own !== undefined) {
      // Counted separately, so that browsers made known within the last day cannot block older ones.
      const kind = isLong ? 'long' : 'new'
      await limits.spend(
        { action: 'mail-own', key: own, max: 5, windowMs: 10 * minute },
        { action: 'mail-own-a-day', key: own, max: 30, windowMs: day },
        // For an approved browser, the link's mail has already been counted.
        { action: `mail-own-to-${kind}`, key: isApproved ? null : email, max: 20, windowMs: 10 * minute },
        { action: `mail-own-from-${kind}`, key: context.network, max: isLong ? 100 : 30, windowMs: 10 * minute },
        ...(isLong
          ? []
          : [{ action: 'mail-own-new', max: Math.ceil(policy.mailsPerHour * 0.75), windowMs: 60 * minute }]),
        { action: 'mail-own-in-all', max: policy.mailsPerHour, windowMs: 60 * minute },
      )
      return
    }
    const here = context.block === null ? null : `${email} ${context.block}`
    await limits.spend(
      // Below the mailbox's own limit, so that one attacker with a whole address block cannot exhaust it for a new browser of the owner.
      { action: 'mail-to-from', key: here, max: 4, windowMs: 10 * minute },
      { action: 'mail-to-from-a-day', key: here, max: 10, windowMs: day },
      ...context.networks.map(({ name, share }) => ({
        action: 'mail-from',
        key: name,
        max: 30 * share,
        windowMs: 10 * minute,
      })),
      // Limited per block, so that one block cannot use up the global limit and lock out all other new users.
      {
        action: 'mail-from-block',
        key: context.block,
        max: Math.ceil(policy.mailsPerHour / 2),
        windowMs: 60 * minute,
      },
      { action: 'mail-to', key: email, max: 12, windowMs: 10 * minute },
    )
    try {
      await limits.spend({ action: 'mail-to-a-day', key: email, max: 40, windowMs: day })
    } catch (error) {
      if (!(error instanceof VaultError) || error.code !== 'limit/reached') throw error
      // Above the daily limit a mail is still sent every 15 minutes, as this can be a new browser of the owner.
      await limits.spend({ action: 'mail-to-slowly', key: email, max: 1, windowMs: 15 * minute })
    }
    await limits.spend({ action: 'mail-in-all', max: policy.mailsPerHour, windowMs: 60 * minute })
  }

  async function send(written: Mail, undo: () => Promise<void>): Promise<void> {
    try {
      await mailer.send(written)
    } catch (error) {
      await undo()
      vault.log('error', 'an email could not be sent', mailFailure(error))
      throw new VaultError('mail/failed', 'The email could not be sent')
    }
  }

  async function sendCode<Data>(
    context: RequestContext,
    params: {
      codes: Codes<Data>
      counted: Asker
      email: string
      data: Data
      write: (otp: string) => Mail
      /** Skips the resend cooldown, for a code that follows an approval link. */
      atOnce?: boolean
    },
  ): Promise<void> {
    const flow = context.flow()
    if (!params.atOnce) await params.codes.requireResendAllowed(flow)
    await spendMail(context, params.counted)
    const otp = await params.codes.issue({ flow, email: params.email, data: params.data })
    await send(params.write(otp), () => params.codes.drop(flow))
  }

  // No code was pending, so this counts against the client and not against an account.
  async function spendMiss(context: RequestContext): Promise<void> {
    await vault.spendBy(context, { action: 'guess-from', max: 100, windowMs: 10 * minute })
  }

  defineRoute(app, postEmail, async ({ body, visit: context }) => {
    const email = requireEmail(body.email)
    const isHere = (await context.signedIn())?.user.email === email
    if (isHere && !body.again) return { action: 'CONNECT' }
    const counted = await counting(context, email)
    const isKnown = isHere || counted.own !== undefined
    const needsLink = (!isKnown && policy.approveDevices(email)) || (await guesses.areSpent(counted))
    // A separate limit per browser behind a shared address, if the operator has enabled visitor identification. The client can choose
    // this ID, so it can only add a limit, never lift one.
    if (identify && body.visitorId && context.network)
      await limits.spend({
        action: 'mail-by',
        key: `${body.visitorId} ${context.network}`,
        max: 10,
        windowMs: 10 * minute,
      })
    if (!needsLink) {
      const write = (otp: string) => codeMail({ to: email, otp, site })
      await sendCode(context, {
        codes,
        counted,
        email,
        data: { email, isApproved: false, browser: context.browser() },
        write,
      })
      return { action: 'VERIFY_OTP' }
    }
    const flow = context.flow()
    const last = await approvals.find(flow)
    const left = Math.ceil(((last?.sentAt ?? 0) + resendAfterMs - now()) / 1000)
    if (last && left > 0)
      throw new VaultError('email/throttled', `Please try again after ${left} seconds`, { seconds: left })
    await spendMail(context, counted)
    const token = randomToken()
    await approvals.put({ flow, secret: hashOf('approval', token), data: { email, isApproved: false } })
    const url = `${origin}/vault/approve?token=${token}`
    await send(approvalMail({ to: email, url, site }), () => approvals.drop(flow))
    return { action: 'VERIFY_DEVICE' }
  })

  defineRoute(app, postEmailDevice, async ({ visit: context }) => {
    const flow = context.flow()
    const until = now() + waitMs
    for (;;) {
      const step = await approvals.find(flow)
      if (!step) throw new VaultError('approval/expired', 'There is no pending approval')
      if (step.data.isApproved) {
        // The step's single try allows a single code: the first poll that spends it sends the code.
        if (await approvals.spendTry(flow)) {
          const { email } = step.data
          const write = (otp: string) => codeMail({ to: email, otp, site })
          // The mailbox's owner has just approved this browser, so unknown browsers cannot use up this counter.
          const counted = countingApproved(context, email)
          const data = { email, isApproved: true, browser: context.browser() }
          await sendCode(context, { codes, counted, email, data, write, atOnce: true })
        }
        return { status: 'approved' }
      }
      if (now() >= until || context.signal.aborted) return { status: 'waiting' }
      await vault.wake(`approval ${flow}`, context.signal)
    }
  })

  defineRoute(app, postEmailCode, async ({ body, visit: context }) => {
    const flow = context.flow()
    const guesser = async ({ email, isApproved }: { email: string; isApproved: boolean }): Promise<Guesser> => {
      const counted = await counting(context, email)
      return isApproved ? countingApproved(context, email) : counted
    }
    const { email, browser } = await codes.verify({
      flow,
      otp: body.otp,
      email: (data) => data.email,
      gone: () => spendMiss(context),
      tried: async (data) => guesses.spend(await guesser(data)),
      right: async (data) => guesses.giveBack(await guesser(data)),
      wrong: (data) => audit.noteByEmail(data.email, 'code-refused', flow),
    })
    const { user, isNew } = await accounts.withEmail(email)
    // A code requested by another browser signs this one in, but does not make it a known browser.
    const remember = browser === context.browser()
    context.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: context.browser(), remember })))
    await approvals.drop(flow)
    if (isNew) await audit.note(user.id, 'account-made', undefined, context.place)
    await audit.note(user.id, 'signed-in-by-email', undefined, context.place)
    return { user }
  })

  defineRoute(app, postEmailChange, async ({ body, visit: context }) => {
    const { user, browser } = await context.requireSignedIn()
    const email = requireEmail(body.email)
    if (email === user.email) throw new VaultError('email/invalid', 'This is already your address')
    const data = { userId: user.id, from: user.email, email }
    await audit.note(user.id, 'email-change-asked', undefined, context.place)
    if (user.email === null) {
      await context.requireRecentSignIn()
      await toNewAddress(context, data)
      return { action: 'VERIFY_SECONDARY_OTP' }
    }
    const to = user.email
    const write = (otp: string) => changePrimaryMail({ to, otp, site })
    const known = await browsers.known(browser, to)
    const counted = { email: to, own: `change ${user.id} ${browser}`, isLong: known?.isLong ?? false }
    await sendCode(context, { codes: primary, counted, email: to, data, write })
    return { action: 'VERIFY_PRIMARY_OTP' }
  })

  defineRoute(app, postEmailChangePrimary, async ({ body, visit: context }) => {
    const { user, browser } = await context.requireSignedIn()
    // Counted per signed-in browser, which a stolen cookie cannot change, so that an attacker cannot exhaust the owner's limit.
    const guesser = { email: user.email ?? '', own: `change ${user.id} ${browser}`, isAlone: true }
    const flow = context.flow()
    const data = await primary.verify({
      flow,
      otp: body.otp,
      email: ({ from }) => from ?? '',
      gone: () => spendMiss(context),
      tried: () => guesses.spend(guesser),
      right: () => guesses.giveBack(guesser),
    })
    if (data.userId !== user.id) throw new VaultError('session/other-account', 'Another account is signed in')
    await toNewAddress(context, data)
    return {}
  })

  async function toNewAddress(
    context: RequestContext,
    data: { userId: string; from: string | null; email: string },
  ): Promise<void> {
    const { email } = data
    const isTaken = (await accounts.userByEmail(email)) !== undefined
    // The code, limits and response are the same either way. Only the mailbox's owner learns that the account exists.
    const write = (otp: string) =>
      isTaken ? addressTakenMail({ to: email, site }) : changeSecondaryMail({ to: email, otp, site })
    await sendCode(context, { codes: secondary, counted: { email }, email, data, write })
  }

  defineRoute(app, postEmailChangeSecondary, async ({ body, visit: context }) => {
    const { user, sessionId, browser } = await context.requireSignedIn()
    const data = await secondary.verify({
      flow: context.flow(),
      otp: body.otp,
      email: ({ email }) => email,
      gone: () => spendMiss(context),
      // Counted like an unknown browser, as the user has not yet proven access to this mailbox.
      tried: ({ email }) => guesses.spend({ email }),
      right: ({ email }) => guesses.giveBack({ email }),
    })
    if (data.userId !== user.id || data.from !== user.email)
      throw new VaultError('session/other-account', 'Another account is signed in')
    if (await accounts.userByEmail(data.email))
      throw new VaultError('code/expired', 'The address was taken in the meantime')
    await accounts.changeEmail(user.id, data.email)
    await accounts.endSessions(user.id, { except: sessionId, by: browser })
    await audit.note(user.id, 'email-changed', undefined, context.place)
    if (data.from !== null) {
      await mailer.send(addressChangedMail({ to: data.from, site })).catch((error: unknown) => {
        vault.log('error', 'an email could not be sent', mailFailure(error))
      })
    }
    return { newEmail: data.email }
  })
}
