import { Screen } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { ConsentBox, LegalLine } from '../LegalConsent.tsx'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { WalletList } from './WalletList.tsx'

/** Renders the wallets without the other connection methods. The row "Continue with a wallet" opens this view. */
export function ConnectWallets(_: ViewProps<'ConnectWallets'>): ReactNode {
  const text = useTranslations(viewMessages)
  return (
    <Screen title={text('connectWallets.title')}>
      <ConsentBox />
      <WalletList />
      <LegalLine />
    </Screen>
  )
}
