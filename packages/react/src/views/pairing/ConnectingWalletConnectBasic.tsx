import { toLatchkeyError } from '@latchkey/protocol/errors'
import { Button, Group, Row, Screen, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { usePairingText } from '../../i18n/usePairingText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { hasDirectory } from '../useDirectory.ts'
import { Waiting } from '../Waiting.tsx'
import { Code } from './Code.tsx'
import { pairingSays } from './pairingSays.ts'
import { usePairing } from './usePairing.ts'

/** A code alone, for a host without chain families or one that drives the pairing itself (R2.3). */
export function ConnectingWalletConnectBasic(_: ViewProps<'ConnectingWalletConnectBasic'>): ReactNode {
  const latchkey = useLatchkey()
  const text = usePairingText()
  const now = usePairing({ by: 'qrcode' })
  const error = now.state.error ?? (now.lost ? toLatchkeyError(undefined) : undefined)
  return (
    <Screen title="WalletConnect" align="center">
      {error ? (
        <>
          <Waiting
            state="failed"
            mark={<WalletLogo name="WalletConnect" size={64} />}
            {...pairingSays(text, { wallet: text('common.yourWallet'), error })}
          />
          <Button kind="primary" wide icon="retry" onClick={now.again}>
            {text('common.retry')}
          </Button>
        </>
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
