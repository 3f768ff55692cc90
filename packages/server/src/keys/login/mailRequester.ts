import type { MailRequester } from '../../emailCodes/mailRateLimits.ts'
import type { Browsers } from '../accounts/knownBrowsers.ts'
import type { Guesser } from '../accounts/mailboxGuessLimit.ts'
import type { RequestContext } from '../requestContext.ts'

/**
 * Resolves to the requester of an email to this mailbox. A browser that has signed in to the mailbox's account has its own
 * counter, so that unknown browsers cannot exhaust its limit.
 */
export async function mailRequester(
  browsers: Pick<Browsers, 'known'>,
  context: Pick<RequestContext, 'browser'>,
  email: string,
): Promise<MailRequester & Guesser> {
  const known = await browsers.known(context.browser(), email)
  return known ? { email, own: `${email} ${context.browser()}`, isLong: known.isLong } : { email }
}

/** Returns the requester for a browser that was approved through an emailed link. The browser has its own counter. */
export function approvedMailRequester(
  context: Pick<RequestContext, 'browser'>,
  email: string,
): MailRequester & Guesser {
  return { email, own: `approved ${email} ${context.browser()}`, isAlone: true, isApproved: true }
}
