import { VaultError } from '../vault/vaultError.ts'
import type { RateLimit, RateLimits } from '../vault/vaultRateLimits.ts'

const day = 24 * 60 * 60_000

/**
 * Maximum number of wrong codes per mailbox and day from browsers that have never signed in to it. Above it, the user has to follow a
 * mailed link first.
 */
export const maxGuessesPerAddress = 10

/** Maximum number of wrong codes per day from one known browser, and from all known browsers of a mailbox together. */
const maxOwnGuesses = 50

/** The source of a guess: a browser known to the mailbox (`own`) or an unknown one. */
export interface Guesser {
  readonly email: string
  /** Counter key of a known browser. Absent for an unknown browser. */
  readonly own?: string | undefined
  /** Set after a mailed link was followed or for a signed-in user. The guess then does not count towards the mailbox's total. */
  readonly isAlone?: boolean
}

/** Counts wrong codes to bound the chance of guessing one. The guesses of unknown browsers never block a known browser. */
export interface MailboxGuessLimit {
  /**
   * Counts a guess at a pending code before the code is compared, so that concurrent guesses are all counted. Throws if the limit is
   * reached.
   */
  spend(guesser: Guesser): Promise<void>
  /** Refunds the last guess because it was correct. */
  giveBack(guesser: Guesser): Promise<void>
  /** Whether this guesser's limits are reached. A mailed link then has to be followed before a code is sent. */
  areSpent(guesser: Guesser): Promise<boolean>
}

/** Limits wrong codes per mailbox, per known browser, and for all unknown browsers together (`maxPerDay`). */
export function createMailboxGuessLimit({
  limits,
  maxPerDay,
}: {
  limits: RateLimits
  maxPerDay: number
}): MailboxGuessLimit {
  const ofStrangers = (email: string): readonly RateLimit[] => [
    { action: 'guess', key: email, max: maxGuessesPerAddress, windowMs: day },
    { action: 'guess-in-all', max: maxPerDay, windowMs: day },
  ]
  const ofKnown = (email: string, own: string): readonly RateLimit[] => [
    { action: 'guess-own', key: own, max: maxOwnGuesses, windowMs: day },
    // An attacker in the mailbox could make many browsers known, so they share one limit.
    { action: 'guess-known', key: email, max: maxOwnGuesses, windowMs: day },
  ]
  const limitsOf = ({ email, own, isAlone = false }: Guesser): readonly RateLimit[] =>
    own === undefined ? ofStrangers(email) : ofKnown(email, own).slice(0, isAlone ? 1 : undefined)

  return {
    spend: async (guesser) => {
      try {
        await limits.spend(...limitsOf(guesser))
      } catch (error) {
        if (!guesser.isAlone && error instanceof VaultError && error.code === 'limit/reached')
          // The next request for a code sends a mailed link, which cannot be guessed.
          throw new VaultError('code/expired', 'Too many wrong codes were entered for this address: request a new one')
        throw error
      }
    },
    giveBack: (guesser) => limits.giveBack(...limitsOf(guesser)),
    areSpent: (guesser) => limits.isReached(...limitsOf(guesser)),
  }
}
