import type { RequestContext } from '../vault/requestContext.ts'
import { VaultError } from '../vault/vaultError.ts'
import type { RateLimit, RateLimits } from '../vault/vaultRateLimits.ts'
import type { Browsers } from './knownBrowsers.ts'
import type { Guesser } from './mailboxGuessLimit.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** The browser that requests a mail: known for more than a day, known for less, approved by a mailed link, or unknown. */
export interface MailRequester extends Guesser {
  readonly isLong?: boolean
  readonly isApproved?: boolean
}

/**
 * The requester of a mail to this mailbox. A browser that has signed in to its account has its own counter, so that unknown browsers
 * cannot exhaust it.
 */
export async function mailRequester(
  browsers: Pick<Browsers, 'known'>,
  context: Pick<RequestContext, 'browser'>,
  email: string,
): Promise<MailRequester> {
  const known = await browsers.known(context.browser(), email)
  return known ? { email, own: `${email} ${context.browser()}`, isLong: known.isLong } : { email }
}

/** The requester in a browser approved by a mailed link. It has its own counter, shared with no other browser. */
export function approvedMailRequester(context: Pick<RequestContext, 'browser'>, email: string): MailRequester {
  return { email, own: `approved ${email} ${context.browser()}`, isAlone: true, isApproved: true }
}

/** Counts a mail against the limits of its requester. Throws if one of them is reached. */
export async function spendMail({
  limits,
  context,
  requester,
  mailsPerHour,
}: {
  limits: Pick<RateLimits, 'spend'>
  context: Pick<RequestContext, 'network' | 'networks' | 'block'>
  requester: MailRequester
  mailsPerHour: number
}): Promise<void> {
  const { email, own } = requester
  const { network, networks, block } = context
  if (own !== undefined) {
    await limits.spend(...knownBrowserLimits(requester, { own, network, mailsPerHour }))
    return
  }
  await limits.spend(...unknownBrowserLimits(requester, { block, networks, mailsPerHour }))
  try {
    await limits.spend({ action: 'mail-to-a-day', key: email, max: 40, windowMs: day })
  } catch (error) {
    if (!(error instanceof VaultError) || error.code !== 'limit/reached') throw error
    // Above the daily limit a mail is still sent every 15 minutes, as this can be a new browser of the owner.
    await limits.spend({ action: 'mail-to-slowly', key: email, max: 1, windowMs: 15 * minute })
  }
  await limits.spend({ action: 'mail-in-all', max: mailsPerHour, windowMs: 60 * minute })
}

/** The limits of a known browser. Those of browsers made known within the last day are separate, so that they cannot block older ones. */
function knownBrowserLimits(
  { email, isLong = false, isApproved = false }: MailRequester,
  { own, network, mailsPerHour }: { own: string; network: string | null; mailsPerHour: number },
): readonly RateLimit[] {
  const kind = isLong ? 'long' : 'new'
  return [
    { action: 'mail-own', key: own, max: 5, windowMs: 10 * minute },
    { action: 'mail-own-a-day', key: own, max: 30, windowMs: day },
    // For an approved browser, the link's mail has already been counted.
    { action: `mail-own-to-${kind}`, key: isApproved ? null : email, max: 20, windowMs: 10 * minute },
    { action: `mail-own-from-${kind}`, key: network, max: isLong ? 100 : 30, windowMs: 10 * minute },
    ...(isLong ? [] : [{ action: 'mail-own-new', max: Math.ceil(mailsPerHour * 0.75), windowMs: 60 * minute }]),
    { action: 'mail-own-in-all', max: mailsPerHour, windowMs: 60 * minute },
  ]
}

/** The limits of an unknown browser, narrowest first, except the daily and the global ones. */
function unknownBrowserLimits(
  { email }: MailRequester,
  { block, networks, mailsPerHour }: Pick<RequestContext, 'block' | 'networks'> & { mailsPerHour: number },
): readonly RateLimit[] {
  const here = block === null ? null : `${email} ${block}`
  return [
    // Below the mailbox's own limit, so that one attacker with a whole address block cannot exhaust it for a new browser of the owner.
    { action: 'mail-to-from', key: here, max: 4, windowMs: 10 * minute },
    { action: 'mail-to-from-a-day', key: here, max: 10, windowMs: day },
    ...networks.map(({ name, share }) => ({
      action: 'mail-from',
      key: name,
      max: 30 * share,
      windowMs: 10 * minute,
    })),
    // Limited per block, so that one block cannot use up the global limit and lock out all other new users.
    { action: 'mail-from-block', key: block, max: Math.ceil(mailsPerHour / 2), windowMs: 60 * minute },
    { action: 'mail-to', key: email, max: 12, windowMs: 10 * minute },
  ]
}
