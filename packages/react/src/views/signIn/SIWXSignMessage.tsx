import type { ReactNode } from 'react'
import type { ViewProps } from '../../modal/viewProps.ts'
import { SignInScreen } from './SignInScreen.tsx'

/** Asks the visitor to sign in: who asks, as which account, and what it allows. */
export function SIWXSignMessage(_: ViewProps<'SIWXSignMessage'>): ReactNode {
  return <SignInScreen />
}
