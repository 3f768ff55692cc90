import { postEmailChange } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Begins to change the account's e-mail address. */
export const updateEmail: Method<'UPDATE_EMAIL'> = async ({ vault }, { email }) =>
  vault(postEmailChange, { body: { email } })
