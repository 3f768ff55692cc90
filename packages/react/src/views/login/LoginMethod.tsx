import { Row, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useLoginTranslations } from '../../i18n/useLoginTranslations.ts'
import { useConsent } from '../connect/LegalConsent.tsx'
import { EmailForm } from './EmailForm.tsx'
import css from './login.css?inline'
import { SocialButtons } from './SocialButtons.tsx'
import { useIsEmbeddedWallet } from './useIsEmbeddedWallet.ts'

/** What a way of logging in needs. */
export interface LoginMethodProps {
  readonly method: 'email' | 'social'
}

/** One way of logging in, for its place on Connect. Nothing of it can be used before the terms are agreed to. */
export function LoginMethod({ method }: LoginMethodProps): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const { blocked } = useConsent()
  // One embedded account at a time: whoever is in leaves first.
  const taken = useIsEmbeddedWallet()
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
