import { postEmailChangeSecondary } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Submits the code sent to the new email address, which then becomes the account's address. */
export const updateEmailSecondaryOtp: Method<'UPDATE_EMAIL_SECONDARY_OTP'> = async ({ vault }, { otp }) =>
  vault(postEmailChangeSecondary, { body: { otp } })
