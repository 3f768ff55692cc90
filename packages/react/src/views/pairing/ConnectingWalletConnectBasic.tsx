import { Group, Row, Screen, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { ConsentBox, useConsent } from '../LegalConsent.tsx'
import { hasDirectory } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import { PairingError } from './PairingError.tsx'
import { PairingQrCode } from './PairingQrCode.tsx'
import { usePairing } from './usePairing.ts'
import { usePairingTranslations } from './usePairingTranslations.ts'

// Size budget: 9.5 kB, for the same reasons as ConnectingWalletConnect, but without the tabs.

/** Renders a QR code for any wallet, for hosts that set `manualWalletConnect` or have no adapters. */
export function ConnectingWalletConnectBasic(_: ViewProps<'ConnectingWalletConnectBasic'>): ReactNode {
  const latchkey = useLatchkey()
  const text = usePairingTranslations()
  const { blocked } = useConsent()
  const now = usePairing({ by: 'qrcode', disabled: blocked })
  const mark = <WalletLogo name="WalletConnect" size={64} />
  return (
    // A new key for each attempt moves focus to the heading, because the button that had focus has been removed.
    <Screen key={blocked ? 'consent' : now.attempt} title="WalletConnect" align="center">
      {blocked ? (
        <>
          {mark}
          <ConsentBox />
        </>
      ) : now.error ? (
        <PairingError error={now.error} name={undefined} logo={mark} retry={now.retry} />
      ) : (
        <PairingQrCode now={now} name={undefined} logo={undefined} />
      )}
      {hasDirectory(latchkey) && (
        <Group name={text('connect.wallets')}>
          <Row icon="search" trailing="chevron" onClick={() => latchkey.modal.push('AllWallets')}>
            {text('connect.allWallets')}
          </Row>
        </Group>
      )}
    </Screen>
  )
}
