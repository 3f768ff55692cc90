import { Screen } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useText } from '../../i18n/useText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ConsentBox, LegalLine } from './Consent.tsx'
import { WalletList } from './WalletList.tsx'

/** The wallets alone: where "continue with a wallet" leads. */
export function ConnectWallets(_: ViewProps<'ConnectWallets'>): ReactNode {
  const text = useText()
  return (
    <Screen title={text('connectWallets.title')}>
      <ConsentBox />
      <WalletList />
      <LegalLine />
    </Screen>
  )
}
