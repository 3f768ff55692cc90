import { frameTexts } from '@latchkey/protocol/frame/messages'

/** A failure whose sentence may be told to the page. Every other error is told as "An error occurred". */
export class PublicError extends Error {
  override readonly name = 'PublicError'
}

/** The sentence that the page is told about `error`. */
export function publicErrorMessage(error: unknown): string {
  // A part of the frame that could not be fetched: browsers have only a text for it.
  if (error instanceof TypeError && /import|module script/i.test(error.message)) return frameTexts.serverAway
  return error instanceof PublicError && error.message ? error.message : 'An error occurred'
}
