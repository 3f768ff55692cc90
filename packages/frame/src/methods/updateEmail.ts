import { postEmailChange } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Starts to change the account's email address. */
export const updateEmail: Method<'UPDATE_EMAIL'> = async ({ vault }, { email }) =>
  vault(postEmailChange, { body: { email } })
