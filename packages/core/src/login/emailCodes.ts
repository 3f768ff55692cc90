import type { MethodResult } from '@latchkey/protocol/frame/messages'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { ErrorPlace, LoginContext } from './loginContext.ts'

/** The requests that submit an emailed code. */
export type CodeMethod = 'CONNECT_OTP' | 'UPDATE_EMAIL_PRIMARY_OTP' | 'UPDATE_EMAIL_SECONDARY_OTP'

/** Submits emailed codes. */
export interface EmailCodes {
  submit(method: CodeMethod, code: string): Promise<MethodResult<CodeMethod>>
  /** Returns where an error is displayed: below the field if the code itself was rejected, and in a toast otherwise. */
  errorPlace(error: LatchkeyError): ErrorPlace
}

/** Creates the functions that submit codes to the frame. */
export function createEmailCodes(context: Pick<LoginContext, 'wallet' | 'signal' | 'track'>): EmailCodes {
  const { track, signal } = context
  const rejected = new WeakSet<LatchkeyError>()
  return {
    async submit(method, code) {
      const wallet = await context.wallet()
      try {
        const result = await wallet.request(method, { otp: code.replaceAll(/\s/g, '') }, { signal })
        track({ event: 'EMAIL_VERIFICATION_CODE_PASS' })
        return result
      } catch (cause) {
        const error = toLatchkeyError(cause)
        track({ event: 'EMAIL_VERIFICATION_CODE_FAIL', properties: { message: error.message } })
        rejected.add(error)
        throw error
      }
    },
    errorPlace: (error) => (rejected.has(error) ? 'field' : 'toast'),
  }
}
