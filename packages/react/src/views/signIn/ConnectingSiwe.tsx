import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { SignInScreen } from './SignInScreen.tsx'

/** The same for hosts with the classic callbacks; there is no way back from it, and pressing is counted. */
export function ConnectingSiwe(_: ViewProps<'ConnectingSiwe'>): ReactNode {
  const latchkey = useLatchkey()
  return <SignInScreen onSign={() => latchkey.track({ event: 'CLICK_SIGN_SIWX_MESSAGE' })} />
}
