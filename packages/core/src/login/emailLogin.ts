import type { EmailCodes } from './emailCodes.ts'
import { emailErrorPlace, parseEmail } from './emailErrors.ts'
import type { EmailThrottle } from './emailThrottle.ts'
import type { LoginContext } from './loginContext.ts'
import type { Login } from './loginTypes.ts'

/** Creates the actions for logging in by email, which request and submit a code. */
export function createEmailLogin(
  context: LoginContext & {
    readonly codes: EmailCodes
    readonly throttle: Pick<EmailThrottle, 'check' | 'sent'>
    /** Displays a message that confirms that another code was sent. */
    confirmResent(): void
  },
): Pick<Login, 'submitEmail' | 'submitCode' | 'resend'> {
  const { store, patch, run, signal, codes, throttle, track, navigation } = context

  const isRequesting = () => ['email', 'window'].includes(store.get().busy ?? '')
  const requestCode = async (email: string, isResend: boolean): Promise<void> => {
    throttle.check()
    const wallet = await context.wallet()
    await context.awaitFrame(wallet, signal)
    if (wallet.connectInWindow) patch({ busy: 'window' })
    const { action } = await wallet.request('CONNECT_EMAIL', { email }, { signal })
    throttle.sent()
    patch({ email })
    track({ event: 'EMAIL_SUBMITTED' })
    if (action === 'CONNECT') return context.connectEmbeddedAccount()
    if (action === 'VERIFY_OTP') track({ event: 'EMAIL_VERIFICATION_CODE_SENT' })
    navigation.follow({ type: action === 'VERIFY_OTP' ? 'code-sent' : 'device-link-sent', email, isResend })
  }

  return {
    async submitEmail(typed) {
      if (isRequesting()) return
      await run(
        'email',
        async () => {
          const email = parseEmail(typed)
          if (context.supportsNetwork()) await requestCode(email, false)
        },
        emailErrorPlace,
      )
    },
    async submitCode(code) {
      if (store.get().busy === 'code') return
      await run(
        'code',
        async () => {
          await codes.submit('CONNECT_OTP', code)
          await context.connectEmbeddedAccount().catch((error: unknown) => {
            navigation.follow({ type: 'code-used-up' })
            throw error
          })
        },
        codes.errorPlace,
      )
    },
    async resend() {
      const { email } = store.get()
      if (!email || isRequesting()) return
      await run('email', () => requestCode(email, true))
      context.confirmResent()
    },
  }
}
