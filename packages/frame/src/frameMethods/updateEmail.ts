import { postEmailChange } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/** Starts to change the account's email address. */
export const updateEmail: Method<'UPDATE_EMAIL'> = async ({ keysClient }, { email }) =>
  keysClient(postEmailChange, { body: { email } })
