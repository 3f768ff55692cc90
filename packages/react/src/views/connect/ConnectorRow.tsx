import { type ConnectorGroup, isSame } from '@latchkey/core'
import { Row, type Tag, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { isInstalled } from '../isInstalled.ts'
import { isMobile } from '../isMobile.ts'
import { useWalletImage } from '../useDirectory.ts'

/** Props for `ConnectorRow`. */
export interface ConnectorRowProps {
  readonly connector: ConnectorGroup
  readonly disabled?: boolean | undefined
}

/** Renders a row for an available wallet, with its logo, name and status. */
export function ConnectorRow({ connector, disabled }: ConnectorRowProps): ReactNode {
  const latchkey = useLatchkey()
  const image = useWalletImage(
    connector.icon === undefined && connector.imageId ? { image_id: connector.imageId } : undefined,
  )
  const tag = useConnectorTag(connector)
  return (
    <Row
      icon={<WalletLogo name={connector.name} src={connector.icon ?? image} />}
      tag={tag}
      disabled={disabled}
      onClick={() => latchkey.pickWallet(connector)}
    >
      {connector.name}
    </Row>
  )
}

function useConnectorTag(connector: ConnectorGroup): Tag | undefined {
  const text = useTranslations()
  const mobile = isMobile(useLatchkey())
  const recent = useStore((state) => state.wallets.recent)
  const connected = useStore((state) =>
    connector.members.some(({ id, namespace }) => {
      const now = state.connections.byNamespace[namespace]
      return now?.status === 'connected' && now.connectorId === id
    }),
  )
  if (connected) return { text: text('tag.connected'), tone: 'accent' }
  // A phone cannot scan a QR code on its own screen.
  if (connector.members[0]?.type === 'WALLET_CONNECT' && !mobile) return { text: text('tag.qr'), tone: 'accent' }
  if (recent.some((wallet) => isSame(connector, wallet))) return { text: text('tag.recent') }
  if (isInstalled(connector)) return { text: text('tag.installed'), tone: 'success' }
  return undefined
}
