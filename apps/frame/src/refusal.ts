import { frameTexts } from '@latchkey/protocol/frame/messages'

/** A failure whose sentence may be told to the page. Every other error is told as "An error occurred". */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The sentence that the page is told about `error`. */
export function sentenceFor(error: unknown): string {
  // A part of the frame that could not be fetched: browsers have only a text for it.
  if (error instanceof TypeError && /import|module script/i.test(error.message)) return frameTexts.serverAway
  return error instanceof Refusal && error.message ? error.message : 'An error occurred'
}
