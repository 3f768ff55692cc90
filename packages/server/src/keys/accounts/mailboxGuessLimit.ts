import { VerificationError } from '../../emailCodes/verificationError.ts'
import type { ActionLimit, ActionLimits } from '../../rateLimits/actionLimits.ts'
import { KeysError } from '../keysError.ts'

const day = 24 * 60 * 60_000

/**
 * The maximum number of wrong codes per mailbox and day from all unknown browsers together. After that, the user must first
 * approve the browser through an emailed link.
 */
export const maxGuessesPerAddress = 10

/** The maximum number of wrong codes per day from one known browser, and from all browsers known to a mailbox together. */
const maxOwnGuesses = 50

/** The source of a guess: a browser known to the mailbox, which sets `own`, or an unknown browser. */
export interface Guesser {
  readonly email: string
  /** The counter key for a known browser. Absent for an unknown browser. */
  readonly own?: string | undefined
  /**
   * Set for a signed-in user, or for a browser that was approved through an emailed link. The guess then does not count toward
   * the mailbox's total.
   */
  readonly isAlone?: boolean
}

/** Counts wrong codes to limit the chance of guessing one. Guesses by unknown browsers never block a known browser. */
export interface MailboxGuessLimit {
  /**
   * Counts a guess at a pending code. Called before the code is compared, so that concurrent guesses are all counted. Throws if a
   * limit is reached.
   */
  spend(guesser: Guesser): Promise<void>
  /** Refunds the last guess because it was correct. */
  giveBack(guesser: Guesser): Promise<void>
  /**
   * Resolves to whether the guesser has reached a limit. If so, the user must approve the browser through an emailed link
   * before a code is sent.
   */
  areSpent(guesser: Guesser): Promise<boolean>
}

/** Limits wrong codes per mailbox and per known browser. For all unknown browsers together, the limit is `maxPerDay`. */
export function createMailboxGuessLimit({
  limits,
  maxPerDay,
}: {
  limits: ActionLimits
  maxPerDay: number
}): MailboxGuessLimit {
  const ofStrangers = (email: string): readonly ActionLimit[] => [
    { action: 'guess', key: email, max: maxGuessesPerAddress, windowMs: day },
    { action: 'guess-in-all', max: maxPerDay, windowMs: day },
  ]
  const ofKnown = (email: string, own: string): readonly ActionLimit[] => [
    { action: 'guess-own', key: own, max: maxOwnGuesses, windowMs: day },
    // An attacker with access to the mailbox could make many browsers known, so they share one limit.
    { action: 'guess-known', key: email, max: maxOwnGuesses, windowMs: day },
  ]
  const limitsOf = ({ email, own, isAlone = false }: Guesser): readonly ActionLimit[] =>
    own === undefined ? ofStrangers(email) : ofKnown(email, own).slice(0, isAlone ? 1 : undefined)

  return {
    spend: async (guesser) => {
      try {
        await limits.spend(...limitsOf(guesser))
      } catch (error) {
        if (!guesser.isAlone && error instanceof VerificationError && error.code === 'limit/reached')
          // The next request for a code emails a link instead, because a link cannot be guessed.
          throw new KeysError('code/expired', 'Too many wrong codes were entered for this address: request a new one')
        throw error
      }
    },
    giveBack: (guesser) => limits.giveBack(...limitsOf(guesser)),
    areSpent: (guesser) => limits.isReached(...limitsOf(guesser)),
  }
}
