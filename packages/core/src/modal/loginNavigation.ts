import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { EmailChangeData, LoginNavigation } from '../login/loginContext.ts'
import { top } from './routeStack.ts'

/** Creates the navigation that opens the next view after each login outcome. */
export function createLoginNavigation({
  modal,
  state,
}: {
  readonly modal: Latchkey['modal']
  readonly state: ReadableStore<State>
}): LoginNavigation {
  const current = () => top(state.get().modal.stack)
  return {
    follow(outcome) {
      switch (outcome.type) {
        case 'network-unsupported':
          return modal.push('SwitchNetwork', { network: outcome.network })
        case 'code-sent':
        case 'device-link-sent': {
          const { email, isResend } = outcome
          const open = isResend ? modal.replace : modal.push
          return open(outcome.type === 'code-sent' ? 'EmailVerifyOtp' : 'EmailVerifyDevice', { email })
        }
        case 'device-approved':
          return modal.replace('EmailVerifyOtp', { email: outcome.email })
        case 'code-used-up':
          if (current().view === 'EmailVerifyOtp') modal.back()
          return
        case 'social-resumed':
          modal.open()
          return modal.push('ConnectingSocial', { provider: outcome.provider })
        case 'social-started':
          return modal.push('ConnectingSocial', { provider: outcome.provider })
        case 'farcaster-started':
          return modal.push('ConnectingFarcaster')
        case 'primary-code-sent':
          return modal.push('UpdateEmailPrimaryOtp', emailChange(outcome))
        case 'secondary-code-sent':
          return modal.push('UpdateEmailSecondaryOtp', emailChange(outcome))
        case 'primary-code-accepted':
          return modal.replace('UpdateEmailSecondaryOtp', emailChange(outcome))
        case 'email-changed':
          // The cast is safe, because redirect views require no data.
          if (outcome.redirectView) modal.reset(outcome.redirectView as 'AccountSettings')
          else modal.close()
          return
        case 'device-not-approved':
        case 'social-cancelled':
        case 'farcaster-failed':
          return modal.back()
      }
    },
    emailChange() {
      const { email, redirectView } = (current().data ?? {}) as Partial<EmailChangeData>
      return { ...(email !== undefined && { email }), ...(redirectView && { redirectView }) }
    },
  }
}

function emailChange({ email, redirectView }: EmailChangeData): EmailChangeData {
  return { email, ...(redirectView && { redirectView }) }
}
