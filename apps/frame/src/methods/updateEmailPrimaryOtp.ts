import { postEmailChangePrimary } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** The code from the present address. */
export const updateEmailPrimaryOtp: Method<'UPDATE_EMAIL_PRIMARY_OTP'> = async ({ vault }, { otp }) => {
  await vault(postEmailChangePrimary, { body: { otp } })
  return undefined
}
