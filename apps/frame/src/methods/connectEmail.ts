import { postEmail } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Mails a code, or a link where the operator wants devices approved. The answer does not tell whether there is such an account. */
export const connectEmail: Method<'CONNECT_EMAIL'> = async ({ vault, visitor }, { email }) => {
  const visitorId = await visitor()
  return vault(postEmail, { body: { email, ...(visitorId === undefined ? {} : { visitorId }) } })
}
