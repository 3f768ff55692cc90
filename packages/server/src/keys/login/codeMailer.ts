import type { Codes } from '../../emailCodes/emailCodes.ts'
import { type MailRequester, spendMail } from '../../emailCodes/mailRateLimits.ts'
import type { Mail } from '../../mail/mailer.ts'
import { normalizeEmail } from '../../mail/normalizeEmail.ts'
import { mailFailure } from '../../mail/smtpMailer.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import type { RequestContext } from '../requestContext.ts'

const minute = 60_000

/** Sends sign-in emails within the requester's limits. */
export interface CodeMailer {
  /** Counts an email against the requester's limits. Throws if a limit is reached. */
  spend(context: RequestContext, requester: MailRequester): Promise<void>
  /** Sends an email. If sending fails, calls `undo` and throws. */
  send(mail: Mail, undo: () => Promise<void>): Promise<void>
  /** Creates a code and emails it. */
  sendCode<Data>(
    context: RequestContext,
    params: {
      codes: Codes<Data>
      requester: MailRequester
      email: string
      data: Data
      write: (otp: string) => Mail
      /** Whether to skip the resend cooldown, for a code that follows an approval link. */
      atOnce?: boolean
    },
  ): Promise<void>
}

/** Creates a mailer for sign-in codes. */
export function createCodeMailer({
  limits,
  log,
  mailer,
  policy,
}: Pick<KeysServices, 'limits' | 'log' | 'mailer' | 'policy'>): CodeMailer {
  const { mailsPerHour } = policy
  const spend: CodeMailer['spend'] = (context, requester) => spendMail({ limits, context, requester, mailsPerHour })

  const send: CodeMailer['send'] = async (mail, undo) => {
    try {
      await mailer.send(mail)
    } catch (error) {
      await undo()
      log('error', 'an email could not be sent', mailFailure(error))
      throw new KeysError('mail/failed', 'The email could not be sent')
    }
  }

  return {
    spend,
    send,
    async sendCode(context, { codes, requester, email, data, write, atOnce = false }) {
      const flow = context.flow()
      if (!atOnce) await codes.requireResendAllowed(flow)
      await spend(context, requester)
      const otp = await codes.issue({ flow, email, data })
      await send(write(otp), () => codes.drop(flow))
    },
  }
}

/** Counts an attempt to enter a code while no code is pending. The attempt counts against the client, not against an account. */
export async function spendMissingCode(
  services: Pick<KeysServices, 'spendBy'>,
  context: RequestContext,
): Promise<void> {
  await services.spendBy(context, { action: 'guess-from', max: 100, windowMs: 10 * minute })
}

/** Returns the normalized email address. Throws if the address is invalid. */
export function requireEmail(email: string): string {
  const normalized = normalizeEmail(email)
  if (normalized === undefined) throw new KeysError('email/invalid', 'Invalid email')
  return normalized
}
