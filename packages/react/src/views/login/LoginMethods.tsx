import { useCss } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useConsent } from '../connect/Consent.tsx'
import { EmailForm } from './EmailForm.tsx'
import css from './login.css?inline'
import { SocialButtons } from './SocialButtons.tsx'
import { useEmbedded } from './useEmbedded.ts'

/** What a way of logging in needs. */
export interface LoginMethodProps {
  readonly method: 'email' | 'social'
}

/** One way of logging in, for its place on Connect. Nothing of it can be used before the terms are agreed to. */
export function LoginMethod({ method }: LoginMethodProps): ReactNode {
  useCss(css)
  const { blocked } = useConsent()
  // One embedded account at a time: whoever is in leaves first.
  const taken = useEmbedded()
  const disabled = blocked || taken
  return method === 'email' ? <EmailForm compact disabled={disabled} /> : <SocialButtons disabled={disabled} />
}
