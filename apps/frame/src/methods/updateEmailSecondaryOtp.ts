import { postEmailChangeSecondary } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** The code from the new address; then it is the account's. */
export const updateEmailSecondaryOtp: Method<'UPDATE_EMAIL_SECONDARY_OTP'> = async ({ vault }, { otp }) =>
  vault(postEmailChangeSecondary, { body: { otp } })
