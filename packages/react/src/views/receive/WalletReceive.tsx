import type { Network } from '@latchkey/core/adapter'
import {
  Address,
  Button,
  Icon,
  LiveRegion,
  moreIcons,
  Notice,
  QrCode,
  Row,
  Screen,
  Text,
  useStyleSheet,
  WalletLogo,
} from '@latchkey/ui'
import { type ReactNode, useRef } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { LazyBackupWarning } from '../login/LazyBackupWarning.tsx'
import { namespaceName } from '../namespaceName.ts'
import { useCopyToClipboard } from '../useCopyToClipboard.ts'
import { useNetworkImage } from '../useDirectory.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { receiveMessages } from './receiveMessages.ts'
import { useCompatibleNetworks } from './useCompatibleNetworks.ts'
import css from './WalletReceive.css?inline'

// Size budget: 8 kB, because of the address formatting and the QR encoder, a library of 3.5 kB.

const messages = { ...viewMessages, ...receiveMessages } as const
/** The number of logos of other networks. */
const shownLogos = 4

/** Renders the user's full address as a QR code and as text that can be copied. */
export function WalletReceive(_: ViewProps<'WalletReceive'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useTranslations(messages)
  const { address, chain } = useAccount()
  const { kind, networks, isValidHere } = useCompatibleNetworks()
  const namespace = useStore((state) => state.networks.namespace)
  const whole = useRef<HTMLSpanElement>(null)
  const { status: copyStatus, copy } = useCopyToClipboard()
  if (address === undefined)
    return (
      <Screen title={text('receive.title')} align="center">
        <Text tone="soft">{text('account.none.title')}</Text>
        <Button kind="primary" wide onClick={() => latchkey.modal.reset('Connect')}>
          {text('connect.title')}
        </Button>
      </Screen>
    )

  const network = (chain && latchkey.network(chain)?.name) ?? (namespace ? namespaceName(namespace) : '')
  const take = async (): Promise<void> => {
    if ((await copy(address)) === 'failed' && whole.current) getSelection()?.selectAllChildren(whole.current)
  }
  return (
    <Screen
      title={text('receive.title')}
      align="center"
      footer={
        <Button
          kind="primary"
          wide
          icon={copyStatus === 'copied' ? 'check' : moreIcons.copy}
          onClick={() => void take()}
        >
          {text(copyStatus === 'copied' ? 'receive.copied' : 'receive.copy')}
        </Button>
      }
    >
      {/* The QR code contains only the address, because every wallet can scan a plain address. */}
      <LazyBackupWarning />
      <QrCode value={address} label={text('receive.qr')} size={240} />
      <span className="receive-address" ref={whole}>
        <Address address={address} whole />
      </span>
      <LiveRegion>{copyStatus === 'copied' ? text('account.copied') : ''}</LiveRegion>
      {!isValidHere && <Notice kind="error">{text('receive.smartNone', { network })}</Notice>}
      {copyStatus === 'failed' && <Notice kind="warning">{text('receive.copyFailed')}</Notice>}
      {isValidHere && network !== '' && (
        <Text tone="soft">{text(kind === 'smartAccount' ? 'receive.smart' : 'receive.warning', { network })}</Text>
      )}
      {(networks.length > 1 || !isValidHere) && networks.length > 0 && (
        <div className="receive-networks">
          <Row
            trailing={
              <>
                <span className="receive-logos">
                  {networks.slice(0, shownLogos).map((one) => (
                    <NetworkLogo key={one.caipNetworkId} network={one} />
                  ))}
                </span>
                <Icon name="forward" />
              </>
            }
            onClick={() => latchkey.modal.push('WalletCompatibleNetworks')}
          >
            {text('receive.networks.title')}
          </Row>
        </div>
      )}
    </Screen>
  )
}

function NetworkLogo({ network }: { readonly network: Network }): ReactNode {
  return <WalletLogo name={network.name} src={useNetworkImage(network)} size={24} shape="round" />
}
