import { postEmailChangeSecondary } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/** Submits the code that was sent to the new email address. The account then uses the new address. */
export const updateEmailSecondaryOtp: Method<'UPDATE_EMAIL_SECONDARY_OTP'> = async ({ keysClient }, { otp }) =>
  keysClient(postEmailChangeSecondary, { body: { otp } })
