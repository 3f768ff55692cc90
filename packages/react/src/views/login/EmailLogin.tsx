import { Screen, Text, useCss } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ConsentBox, LegalLine, useConsent } from '../connect/Consent.tsx'
import { EmailForm } from './EmailForm.tsx'
import css from './login.css?inline'
import { useEmbedded } from './useEmbedded.ts'

/** Logging in by e-mail alone. */
export function EmailLogin(_: ViewProps<'EmailLogin'>): ReactNode {
  useCss(css)
  const text = useLoginText()
  const { blocked } = useConsent()
  const taken = useEmbedded()
  return (
    <Screen title={text('email.title')}>
      <ConsentBox />
      <Text tone="soft">{text('email.body')}</Text>
      <EmailForm disabled={blocked || taken} />
      <LegalLine />
    </Screen>
  )
}
