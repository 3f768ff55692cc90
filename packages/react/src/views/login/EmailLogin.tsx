import { Screen, Text, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { ConsentBox, LegalLine, useConsent } from '../LegalConsent.tsx'
import type { ViewProps } from '../viewProps.ts'
import { EmailForm } from './EmailForm.tsx'
import css from './login.css?inline'
import { useIsEmbeddedWallet } from './useIsEmbeddedWallet.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Renders a view that only offers email login. */
export function EmailLogin(_: ViewProps<'EmailLogin'>): ReactNode {
  useStyleSheet(css)
  const text = useLoginTranslations()
  const { blocked } = useConsent()
  const taken = useIsEmbeddedWallet()
  return (
    <Screen title={text('email.title')}>
      <ConsentBox />
      <Text tone="soft">{text('email.body')}</Text>
      <EmailForm disabled={blocked || taken} />
      <LegalLine />
    </Screen>
  )
}
