import { Address, Button, LiveRegion, moreIcons, Notice, QrCode, Screen, Text, useStyleSheet } from '@latchkey/ui'
import { type ReactNode, useRef } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { LazyBackupWarning } from '../login/LazyBackupWarning.tsx'
import { namespaceName } from '../namespaceName.ts'
import { useCopyToClipboard } from '../useCopyToClipboard.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './WalletReceive.css?inline'

// Size budget: 7 kB, because of the address formatting and the QR encoder, a library of 3.5 kB.

/** Renders the user's full address as a QR code and as text that can be copied. */
export function WalletReceive(_: ViewProps<'WalletReceive'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  const { address, chain } = useAccount()
  const namespace = useStore((state) => state.networks.namespace)
  const whole = useRef<HTMLSpanElement>(null)
  const { status: copyStatus, copy } = useCopyToClipboard()
  if (address === undefined)
    return (
      <Screen title={text('receive.title')} align="center">
        <Text tone="soft">{text('account.none.title')}</Text>
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
      {copyStatus === 'failed' ? (
        <Notice kind="warning">{text('receive.copyFailed')}</Notice>
      ) : (
        network !== '' && <Text tone="soft">{text('receive.warning', { network })}</Text>
      )}
    </Screen>
  )
}
