import { walletPath } from '@latchkey/protocol/http/keys'
import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { t } from '../texts/translations.ts'

/** Explains that another page opened this page, that keys cannot be removed here, and what the user can do instead. */
export function ForeignNavigationNotice(): ReactNode {
  return <Notice kind="warning">{t('pageForeign', { address: `${window.location.host}${walletPath}` })}</Notice>
}
