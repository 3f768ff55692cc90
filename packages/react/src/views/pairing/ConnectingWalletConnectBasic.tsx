import { Group, Row, Screen, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { usePairingText } from '../../i18n/usePairingText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ConsentBox, useConsent } from '../connect/Consent.tsx'
import { hasDirectory } from '../useDirectory.ts'
import { Code } from './Code.tsx'
import { Failed } from './Failed.tsx'
import { usePairing } from './usePairing.ts'

/** A code alone, for a host without chain families or one that drives the pairing itself. */
export function ConnectingWalletConnectBasic(_: ViewProps<'ConnectingWalletConnectBasic'>): ReactNode {
  const latchkey = useLatchkey()
  const text = usePairingText()
  const { blocked } = useConsent()
  const now = usePairing({ by: 'qrcode', off: blocked })
  const mark = <WalletLogo name="WalletConnect" size={64} />
  return (
    // Anew with each attempt, so that whoever pressed a button which is gone stands at the heading.
    <Screen key={blocked ? 'consent' : now.attempt} title="WalletConnect" align="center">
      {blocked ? (
        <>
          {mark}
          <ConsentBox />
        </>
      ) : now.error ? (
        <Failed error={now.error} name={undefined} mark={mark} again={now.again} />
      ) : (
        <Code now={now} name={undefined} logo={undefined} />
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
