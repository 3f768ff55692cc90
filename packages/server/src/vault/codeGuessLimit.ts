import { VaultError } from './vaultError.ts'
import type { RateLimit, RateLimits } from './vaultRateLimits.ts'

const day = 24 * 60 * 60_000

/** Wrong codes of one mailbox per day, from all browsers that never signed in to it. Afterwards a link is mailed first. */
export const maxGuessesPerAddress = 10

/** Wrong codes per day that one browser which has signed in before may type; and all of them together for one mailbox. */
const maxOwnGuesses = 50

/** Who types a code: a browser that is known to the mailbox (`own`), or a stranger. */
export interface Guesser {
  readonly email: string
  /** What a known browser is counted by; absent for a stranger. */
  readonly own?: string | undefined
  /** Where a mailed link was followed, or somebody is signed in: then it is counted in no sum of the mailbox. */
  readonly isAlone?: boolean
}

/** Counts wrong codes. What it bounds is the chance to guess a code; it never refuses a browser for what others typed. */
export interface CodeGuessLimit {
  /** Counts a guess at a living code before it is compared, so that guesses that race are all counted; refuses when there were too many. */
  spend(guesser: Guesser): Promise<void>
  /** Takes the last one back: it was right. */
  giveBack(guesser: Guesser): Promise<void>
  /** Whether strangers have used up the guesses of this mailbox, or of all together, or known browsers have theirs: then a link has to be followed before a code is sent. */
  areSpent(guesser: Guesser): Promise<boolean>
}

/** Counts wrong codes per mailbox, per known browser, and of all strangers together (`maxPerDay`). */
export function createCodeGuessLimit({ limits, maxPerDay }: { limits: RateLimits; maxPerDay: number }): CodeGuessLimit {
  const ofStrangers = (email: string): readonly RateLimit[] => [
    { action: 'guess', key: email, max: maxGuessesPerAddress, windowMs: day },
    { action: 'guess-in-all', max: maxPerDay, windowMs: day },
  ]
  const ofKnown = (email: string, own: string): readonly RateLimit[] => [
    { action: 'guess-own', key: own, max: maxOwnGuesses, windowMs: day },
    // However many browsers somebody made known while in the mailbox.
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
          // Asking again leads to a mailed link, which nobody can guess.
          throw new VaultError('code/expired', 'Too many wrong codes were typed for this address: ask for another one')
        throw error
      }
    },
    giveBack: (guesser) => limits.giveBack(...limitsOf(guesser)),
    areSpent: (guesser) => limits.isReached(...limitsOf(guesser)),
  }
}
