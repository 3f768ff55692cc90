import type { EmailCodes } from './emailCodes.ts'
import { emailErrorPlace, parseEmail } from './emailErrors.ts'
import type { EmailThrottle } from './emailThrottle.ts'
import type { LoginContext } from './loginContext.ts'
import type { Login } from './loginTypes.ts'

/** Creates the actions for changing the email address. Codes sent to the old and the new address confirm the change. */
export function createEmailChange(
  context: LoginContext & { readonly codes: EmailCodes; readonly throttle: Pick<EmailThrottle, 'sent' | 'clear'> },
): Pick<Login, 'updateEmail' | 'submitPrimaryCode' | 'submitSecondaryCode'> {
  const { store, run, signal, codes, throttle, records, track, navigation } = context
  return {
    async updateEmail(typed, redirectView) {
      if (store.get().busy === 'update') return
      await run(
        'update',
        async () => {
          const email = parseEmail(typed)
          const wallet = await context.wallet()
          const { action } = await wallet.request('UPDATE_EMAIL', { email }, { signal })
          throttle.sent()
          track({ event: 'EMAIL_EDIT' })
          const type = action === 'VERIFY_PRIMARY_OTP' ? 'primary-code-sent' : 'secondary-code-sent'
          navigation.follow({ type, email, ...(redirectView && { redirectView }) })
        },
        emailErrorPlace,
      )
    },
    async submitPrimaryCode(code) {
      if (store.get().busy === 'update') return
      const { email = store.get().email ?? '', redirectView } = navigation.emailChange()
      await run(
        'update',
        async () => {
          await codes.submit('UPDATE_EMAIL_PRIMARY_OTP', code)
          navigation.follow({ type: 'primary-code-accepted', email, ...(redirectView && { redirectView }) })
        },
        codes.errorPlace,
      )
    },
    async submitSecondaryCode(code) {
      const { redirectView } = navigation.emailChange()
      return run(
        'update',
        async () => {
          const result = await codes.submit('UPDATE_EMAIL_SECONDARY_OTP', code)
          const newEmail = result?.newEmail ?? ''
          records.email.set(newEmail)
          records.emailUsed.set('true')
          throttle.clear()
          navigation.follow({ type: 'email-changed', redirectView })
          return newEmail
        },
        codes.errorPlace,
      )
    },
  }
}
