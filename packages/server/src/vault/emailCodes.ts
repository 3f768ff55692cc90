import { codeLifeMs, codeTries, resendAfterMs } from '@latchkey/protocol/http/vault'
import type * as v from 'valibot'
import type { Connection } from '../data/databaseConnection.ts'
import type { Clock } from '../serverPorts.ts'
import { type Challenge, createChallengeStore } from './challengeStore.ts'
import { type Digest, randomCode, sameText } from './secretDigests.ts'
import { VaultError } from './vaultError.ts'

/** Six-digit codes of one purpose, each bound to the frame session that asked and to the address it went to. */
export interface Codes<Data> {
  /** A new code in the place of the one before; refused within 30 s of it. */
  issue(params: { flow: string; email: string; data: Data }): Promise<string>
  /** Refuses within 30 s of the code before. */
  requireResendAllowed(flow: string): Promise<void>
  /** The address and data of a code that waits, whatever is typed. */
  waiting(flow: string): Promise<Challenge<Data> | undefined>
  /** Ends the code and answers with its data, or refuses. */
  verify(params: {
    flow: string
    email: (data: Data) => string
    otp: string
    /** Told before the refusal where no code waits with a try left: nothing was guessed at. */
    gone?: () => Promise<void>
    /** Told of a try before it is compared. */
    tried?: (data: Data) => Promise<void>
    /** Told of a right one. */
    right?: (data: Data) => Promise<void>
    /** Told before the refusal of a wrong one. */
    wrong?: (data: Data) => Promise<void>
  }): Promise<Data>
  drop(flow: string): Promise<void>
}

/** Codes of one purpose, kept as digests. */
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
  const pending = createChallengeStore({ connection, kind: `code-${purpose}`, data, lifetimeMs: codeLifeMs, now })
  const secretOf = (flow: string, email: string, otp: string) => digest('code', purpose, flow, email, otp)
  const secretsOf = (flow: string, email: string, otp: string) => digest.all('code', purpose, flow, email, otp)
  const codeExpired = () => new VaultError('code/expired', 'No code waits here: ask for another one')

  async function requireResendAllowed(flow: string): Promise<void> {
    const last = await pending.find(flow)
    // Not longer than that where the clock was set back meanwhile.
    const left = last === undefined ? 0 : Math.min(resendAfterMs, last.sentAt + resendAfterMs - now())
    if (left > 0) {
      const seconds = Math.ceil(left / 1000)
      throw new VaultError('email/throttled', `Please try again after ${seconds} seconds`, { seconds })
    }
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
      // The try is taken before the code is compared: guesses that race are all counted.
      const step = await pending.spendTry(flow)
      if (!step) {
        await dead?.()
        throw codeExpired()
      }
      await tried?.(step.data)
      // Also one that was mailed before the operator's secret was replaced.
      if (!secretsOf(flow, email(step.data), otp).some((secret) => sameText(secret, step.secret))) {
        await wrong?.(step.data)
        // It stays until it is too old, so that burning a code does not shorten the wait for the next.
        throw new VaultError('code/wrong', 'Wrong code', { triesLeft: step.triesLeft })
      }
      await right?.(step.data)
      const taken = await pending.take(flow, step.secret)
      if (!taken) throw codeExpired()
      return taken.data
    },
    drop: (flow) => pending.drop(flow),
  }
}
