import { moreIcons, Row, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useConsent } from '../LegalConsent.tsx'
import { EmailForm } from './EmailForm.tsx'
import css from './login.css?inline'
import { SocialButtons } from './SocialButtons.tsx'
import { useIsEmbeddedWallet } from './useIsEmbeddedWallet.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Props for `LoginMethod`. */
export interface LoginMethodProps {
  readonly method: 'email' | 'social'
}

/** Renders a login method in the connect view. Disabled until the user gives consent, if consent is required. */
export function LoginMethod({ method }: LoginMethodProps): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const { blocked } = useConsent()
  // Only one embedded wallet account can be connected at a time, so the user must disconnect first.
  const taken = useIsEmbeddedWallet()
  const disabled = blocked || taken
  if (method === 'social') return <SocialButtons disabled={disabled} />
  return (
    <>
      <EmailForm compact disabled={disabled} />
      {latchkey.options.features?.passkey && (
        <Row
          icon={moreIcons.key}
          trailing="chevron"
          disabled={disabled}
          onClick={() => latchkey.modal.push('ConnectingPasskey')}
        >
          {text('passkey.title')}
        </Row>
      )}
    </>
  )
}
