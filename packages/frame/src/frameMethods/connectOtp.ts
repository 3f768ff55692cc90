import { postEmailCode } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/** Logs the user in with the code from the email. The code is only valid in the frame session that requested it. */
export const connectOtp: Method<'CONNECT_OTP'> = async ({ keysClient, session }, { otp }) => {
  const { user } = await keysClient(postEmailCode, { body: { otp } })
  session.signedIn(user)
  return undefined
}
