import { say, type Word } from './words.ts'

/** A slip is told by what it is; everything else is a code that does not fit. */
export function slipOf(failed: unknown): string {
  const slip = typeof failed === 'object' && failed !== null && 'slip' in failed ? failed.slip : undefined
  if (typeof slip !== 'object' || slip === null || !('error' in slip)) return say('kitWrong')
  const sentences: Readonly<Record<string, Word>> = { length: 'kitLength', letter: 'kitLetter', group: 'kitGroup' }
  const word = sentences[String(slip.error)]
  return word ? say(word, slip as unknown as Record<string, string | number>) : say('kitWrong')
}
