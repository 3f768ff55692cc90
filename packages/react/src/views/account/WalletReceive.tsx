import { Address, Button, Live, Notice, QrCode, Screen, Text, useCss } from '@latchkey/ui'
import { type ReactNode, useRef } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useText } from '../../i18n/useText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { namespaceName } from '../namespaceName.ts'
import { SingleKeyLater } from '../SingleKeyLater.tsx'
import { useCopy } from '../useCopy.ts'
import css from './WalletReceive.css?inline'

/** The whole address, to be scanned, read or copied. */
export function WalletReceive(_: ViewProps<'WalletReceive'>): ReactNode {
  useCss(css)
  const latchkey = useLatchkey()
  const text = useText()
  const { address, chain } = useAccount()
  const namespace = useStore((state) => state.networks.namespace)
  const whole = useRef<HTMLSpanElement>(null)
  const { copying, copy } = useCopy()
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
        <Button kind="primary" wide icon={copying === 'copied' ? 'check' : 'copy'} onClick={() => void take()}>
          {text(copying === 'copied' ? 'receive.copied' : 'receive.copy')}
        </Button>
      }
    >
      {/* The plain address: every wallet's camera knows it, and none can misread a chain or an amount in it. */}
      <SingleKeyLater />
      <QrCode value={address} label={text('receive.qr')} size={240} />
      <span className="receive-address" ref={whole}>
        <Address address={address} whole />
      </span>
      <Live>{copying === 'copied' ? text('account.copied') : ''}</Live>
      {copying === 'failed' ? (
        <Notice kind="warning">{text('receive.copyFailed')}</Notice>
      ) : (
        network !== '' && <Text tone="soft">{text('receive.warning', { network })}</Text>
      )}
    </Screen>
  )
}
