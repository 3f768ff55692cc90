import { Screen } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ConsentBox, LegalLine } from './LegalConsent.tsx'
import { WalletList } from './WalletList.tsx'

/** The wallets without the other connection methods. Opened by "Continue with a wallet". */
export function ConnectWallets(_: ViewProps<'ConnectWallets'>): ReactNode {
  const text = useTranslations()
  return (
    <Screen title={text('connectWallets.title')}>
      <ConsentBox />
      <WalletList />
      <LegalLine />
    </Screen>
  )
}
