import { postEmailCode } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Signs in with the code from the mail. It is worth something only in the frame session that asked for it. */
export const connectOtp: Method<'CONNECT_OTP'> = async ({ vault, session }, { otp }) => {
  const { user } = await vault(postEmailCode, { body: { otp } })
  session.signedIn(user)
  return undefined
}
