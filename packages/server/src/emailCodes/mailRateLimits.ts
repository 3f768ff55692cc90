import type { ClientNetworks } from '../ipAddresses/ipAddressGroups.ts'
import type { ActionLimit, ActionLimits } from '../rateLimits/actionLimits.ts'
import { VerificationError } from './verificationError.ts'

const minute = 60_000
const day = 24 * 60 * minute

/**
 * The browser that requests an email: known for more than a day, known for less, approved through an emailed link, or unknown.
 */
export interface MailRequester {
  readonly email: string
  /** The counter key for a known browser. Absent for an unknown browser. */
  readonly own?: string | undefined
  readonly isLong?: boolean
  readonly isApproved?: boolean
}

/** Counts an email against the requester's limits. Throws if a limit is reached. */
export async function spendMail({
  limits,
  context,
  requester,
  mailsPerHour,
}: {
  limits: Pick<ActionLimits, 'spend'>
  context: ClientNetworks
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
    if (!(error instanceof VerificationError) || error.code !== 'limit/reached') throw error
    // Above the daily limit, one email is still sent every 15 minutes, because the requester might be the owner's new browser.
    await limits.spend({ action: 'mail-to-slowly', key: email, max: 1, windowMs: 15 * minute })
  }
  await limits.spend({ action: 'mail-in-all', max: mailsPerHour, windowMs: 60 * minute })
}

/**
 * Returns the limits for a known browser. Browsers known for less than a day have separate limits, so that they cannot block
 * browsers that have been known for longer.
 */
function knownBrowserLimits(
  { email, isLong = false, isApproved = false }: MailRequester,
  { own, network, mailsPerHour }: { own: string; network: string | null; mailsPerHour: number },
): readonly ActionLimit[] {
  const kind = isLong ? 'long' : 'new'
  return [
    { action: 'mail-own', key: own, max: 5, windowMs: 10 * minute },
    { action: 'mail-own-a-day', key: own, max: 30, windowMs: day },
    // For an approved browser, the email with the link has already been counted.
    { action: `mail-own-to-${kind}`, key: isApproved ? null : email, max: 20, windowMs: 10 * minute },
    { action: `mail-own-from-${kind}`, key: network, max: isLong ? 100 : 30, windowMs: 10 * minute },
    ...(isLong ? [] : [{ action: 'mail-own-new', max: Math.ceil(mailsPerHour * 0.75), windowMs: 60 * minute }]),
    { action: 'mail-own-in-all', max: mailsPerHour, windowMs: 60 * minute },
  ]
}

/** Returns the limits for an unknown browser, narrowest first. The daily and global limits are not included. */
function unknownBrowserLimits(
  { email }: MailRequester,
  { block, networks, mailsPerHour }: Pick<ClientNetworks, 'block' | 'networks'> & { mailsPerHour: number },
): readonly ActionLimit[] {
  const here = block === null ? null : `${email} ${block}`
  return [
    // Lower than the mailbox's own limit, so that an attacker with an address block cannot exhaust the limit for the owner's new
    // browser.
    { action: 'mail-to-from', key: here, max: 4, windowMs: 10 * minute },
    { action: 'mail-to-from-a-day', key: here, max: 10, windowMs: day },
    ...networks.map(({ name, share }) => ({
      action: 'mail-from',
      key: name,
      max: 30 * share,
      windowMs: 10 * minute,
    })),
    // Limited per address block, so that one block cannot use up the global limit and lock out all other new users.
    { action: 'mail-from-block', key: block, max: Math.ceil(mailsPerHour / 2), windowMs: 60 * minute },
    { action: 'mail-to', key: email, max: 12, windowMs: 10 * minute },
  ]
}
