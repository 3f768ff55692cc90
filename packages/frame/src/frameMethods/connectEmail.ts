import { postEmail } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/**
 * Sends a code by email, or a link if the operator requires device approval. The response does not reveal whether the account
 * exists.
 */
export const connectEmail: Method<'CONNECT_EMAIL'> = async ({ keysClient, visitor }, { email }) => {
  return keysClient(postEmail, { body: { email, visitorId: await visitor() } })
}
