import { frameTexts } from '@latchkey/protocol/frame/messages'

/** An error whose message can be sent to the page. All other errors are reported as "An error occurred". */
export class PublicError extends Error {
  override readonly name = 'PublicError'
}

/** Returns the message to send to the page for `error`. */
export function publicErrorMessage(error: unknown): string {
  // Part of the frame failed to load. Browsers have no error code for this, so the message is checked.
  if (error instanceof TypeError && /import|module script/i.test(error.message)) return frameTexts.serverAway
  return error instanceof PublicError && error.message ? error.message : 'An error occurred'
}
