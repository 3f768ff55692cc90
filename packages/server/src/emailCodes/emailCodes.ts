import { codeLifeMs, codeTries } from '@latchkey/protocol/http/keys'
import type * as v from 'valibot'
import type { Clock } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { createPendingStepStore, type PendingStep } from '../storage/pendingStepStore.ts'
import { type Digest, randomCode, sameText } from '../storage/secretDigests.ts'
import { secondsUntilResend } from './secondsUntilResend.ts'
import { VerificationError } from './verificationError.ts'

/** Six-digit codes for one purpose. Each code is bound to a frame session and to the email address that it was sent to. */
export interface Codes<Data> {
  /** Creates a code, which replaces the previous one. */
  issue(params: { flow: string; email: string; data: Data }): Promise<string>
  /** Throws if the previous code was sent less than 30 seconds ago. */
  requireResendAllowed(flow: string): Promise<void>
  /** Resolves to the pending code's data without checking a code. */
  waiting(flow: string): Promise<PendingStep<Data> | undefined>
  /** Uses up the code and resolves to its data. Throws if the code is wrong or expired. */
  verify(params: {
    flow: string
    email: (data: Data) => string
    otp: string
    /** Called if no code is pending or no tries are left, before `verify` throws. */
    gone?: () => Promise<void>
    /** Called on each try before the code is compared. `isFirst` is `true` for the first try of this code. */
    tried?: (data: Data, isFirst: boolean) => Promise<void>
    /** Called if the code is correct. */
    right?: (data: Data) => Promise<void>
    /** Called if the code is wrong, before `verify` throws. */
    wrong?: (data: Data) => Promise<void>
  }): Promise<Data>
  drop(flow: string): Promise<void>
}

/** Creates codes for one purpose. Only digests of the codes are stored. */
export function createCodes<Data>({
  connection,
  digest,
  purpose,
  data,
  now,
}: {
  connection: Connection
  digest: Digest
  purpose: string
  data: v.GenericSchema<unknown, Data>
  now: Clock
}): Codes<Data> {
  const pending = createPendingStepStore({ connection, kind: `code-${purpose}`, data, lifetimeMs: codeLifeMs, now })
  const secretOf = (flow: string, email: string, otp: string) => digest('code', purpose, flow, email, otp)
  const secretsOf = (flow: string, email: string, otp: string) => digest.all('code', purpose, flow, email, otp)
  const codeExpired = () => new VerificationError('code/expired', 'There is no pending code: request a new one')

  async function requireResendAllowed(flow: string): Promise<void> {
    const seconds = secondsUntilResend((await pending.find(flow))?.sentAt, now())
    if (seconds > 0)
      throw new VerificationError('email/throttled', `Please try again after ${seconds} seconds`, { seconds })
  }

  return {
    requireResendAllowed,
    issue: async ({ flow, email, data: about }) => {
      const otp = randomCode()
      await pending.put({ flow, secret: secretOf(flow, email, otp), data: about, tries: codeTries })
      return otp
    },
    waiting: (flow) => pending.find(flow),
    verify: async ({ flow, email, otp, gone: dead, tried, right, wrong }) => {
      // Use up the try before comparing, so that concurrent guesses are all counted.
      const step = await pending.spendTry(flow)
      if (!step) {
        await dead?.()
        throw codeExpired()
      }
      await tried?.(step.data, step.triesLeft === codeTries - 1)
      // Also accept a code that was emailed before the operator rotated the secret.
      if (!secretsOf(flow, email(step.data), otp).some((secret) => sameText(secret, step.secret))) {
        await wrong?.(step.data)
        // The code stays stored until it expires, so that using up the tries does not shorten the resend cooldown.
        throw new VerificationError('code/wrong', 'Wrong code', { triesLeft: step.triesLeft })
      }
      await right?.(step.data)
      const taken = await pending.take(flow, step.secret)
      if (!taken) throw codeExpired()
      return taken.data
    },
    drop: (flow) => pending.drop(flow),
  }
}
