import { KeyError } from '../keys/index.ts'
import { sentenceFor } from '../refusal.ts'
import { say } from '../screens/words.ts'

/** Why something did not work on this page, and what to do about it. */
export function pageSentence(error: unknown): string {
  if (!(error instanceof KeyError)) return sentenceFor(error)
  if (error.code === 'vault/locked') return say('pageLocked')
  if (error.code === 'wrapper/last') return say('removeLast')
  if (error.code === 'wrapper/too-many') return say('pageTooMany')
  // Older than seen, of another user, forged: the server's record is not the one that this device knows.
  return say(error.code === 'vault/conflict' ? 'pageConflict' : 'pageRecord')
}
