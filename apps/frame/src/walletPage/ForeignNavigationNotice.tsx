import { walletPath } from '@latchkey/protocol/http/vault'
import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { t } from '../screens/messages.ts'

/** Says that another page has opened this one, so that nothing is taken away here, and what to do instead. */
export function ForeignNavigationNotice(): ReactNode {
  return <Notice kind="warning">{t('pageForeign', { address: `${window.location.host}${walletPath}` })}</Notice>
}
