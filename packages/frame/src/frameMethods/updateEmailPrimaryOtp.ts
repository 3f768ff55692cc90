import { postEmailChangePrimary } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/** Submits the code that was sent to the current email address. */
export const updateEmailPrimaryOtp: Method<'UPDATE_EMAIL_PRIMARY_OTP'> = async ({ keysClient }, { otp }) => {
  await keysClient(postEmailChangePrimary, { body: { otp } })
  return undefined
}
