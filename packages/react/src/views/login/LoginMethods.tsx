import { Row, useCss } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useLoginText } from '../../i18n/useLoginText.ts'
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
  const latchkey = useLatchkey()
  const text = useLoginText()
  const { blocked } = useConsent()
  // One embedded account at a time: whoever is in leaves first.
  const taken = useEmbedded()
  const disabled = blocked || taken
  if (method === 'social') return <SocialButtons disabled={disabled} />
  return (
    <>
      <EmailForm compact disabled={disabled} />
      {latchkey.options.features?.passkey && (
        <Row icon="key" trailing="chevron" disabled={disabled} onClick={() => latchkey.modal.push('ConnectingPasskey')}>
          {text('passkey.title')}
        </Row>
      )}
    </>
  )
}
