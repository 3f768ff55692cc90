import { type ChainId, chainOf } from '@latchkey/protocol/caip'
import {
  Avatar,
  Button,
  Group,
  IconButton,
  LiveRegion,
  moreIcons,
  Notice,
  Row,
  Screen,
  Spinner,
  Text,
  useStyleSheet,
  VisuallyHidden,
  WalletLogo,
} from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { canSwitchNetwork } from '../../hooks/canSwitchNetwork.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalance } from '../../hooks/useBalance.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useWalletInfo } from '../../hooks/useWalletInfo.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { useSlots } from '../../slots.ts'
import { LazyBackupWarning } from '../login/LazyBackupWarning.tsx'
import { SlotGroups, slotRows } from '../SlotRows.tsx'
import { useCopyToClipboard } from '../useCopyToClipboard.ts'
import { useNetworkImage, useWalletImage } from '../useDirectory.ts'
import { useDisconnectAction } from '../useDisconnectAction.tsx'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './Account.css?inline'
import { AccountName } from './AccountName.tsx'
import { Balance } from './Balance.tsx'

// Size budget: 4.5 kB, because of the outage notice and the code that loads the single-key warning from a separate chunk.

/** Renders the account view with the user's identity, balance and actions. If the wallet stops responding, shows a notice. */
export function Account(_: ViewProps<'Account'>): ReactNode {
  const account = useAccount()
  if (account.address === undefined) return <Nobody />
  return (
    <Somebody
      address={account.address}
      chain={account.chain ?? (account.account && chainOf(account.account))}
      status={account.status}
      health={account.health}
    />
  )
}

function Nobody(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  return (
    <Screen title={text('account.title')} hideTitle align="center">
      <Text kind="row">{text('account.none.title')}</Text>
      <Text tone="soft">{text('account.none.body')}</Text>
      <Button kind="primary" wide onClick={() => latchkey.modal.reset('Connect')}>
        {text('connect.title')}
      </Button>
    </Screen>
  )
}

interface SomebodyProps {
  readonly address: string
  readonly chain: ChainId | undefined
  readonly status: string
  readonly health: 'ok' | 'silent' | 'unknown'
}

function Somebody({ address, chain, status, health }: SomebodyProps): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  const slots = useSlots()
  const balance = useBalance()
  const identity = useStore((state) => state.account.identity)
  const info = useWalletInfo()
  const leaving = useDisconnectAction()
  const { status: copyStatus, copy } = useCopyToClipboard()
  // The backup warning stays visible after the "copied" status has disappeared.
  const [taken, setTaken] = useState(false)

  const known = 'value' in identity ? identity.value : undefined
  const wallet = info?.name ?? text('common.yourWallet')
  const network = chain === undefined ? undefined : latchkey.network(chain)
  const explorer = network?.blockExplorers?.default
  const connected = status === 'connected'
  // If this is the root view, the modal's header already has a network button.
  const choice = canSwitchNetwork(latchkey, useNetwork())
  const isRoot = useStore((state) => state.modal.stack.length === 1)
  return (
    <Screen title={text('account.title')} hideTitle>
      {status === 'reconnecting' && health === 'ok' && (
        <div className="me-wait" role="status">
          <Spinner />
          <Text tone="soft">{text('account.reconnecting', { wallet })}</Text>
        </div>
      )}
      {health !== 'ok' && <Silent wallet={wallet} kind={health} />}
      <div className="me">
        {slots.avatar ? (
          slots.avatar({ address, image: known?.image, size: 72 })
        ) : (
          <Avatar address={address} src={known?.image} size={72} />
        )}
        <div className="me-name">
          <AccountName address={address} name={known?.name} />
          <IconButton
            icon={copyStatus === 'copied' ? 'check' : moreIcons.copy}
            label={text(copyStatus === 'copied' ? 'account.copied' : 'account.copy')}
            onClick={() => {
              setTaken(true)
              void copy(address)
            }}
          />
        </div>
        <LiveRegion>{copyStatus === 'copied' ? text('account.copied') : ''}</LiveRegion>
        {connected && <Balance reading={balance} />}
      </div>
      {taken && <LazyBackupWarning />}
      {copyStatus === 'failed' && (
        <Notice kind="warning" title={text('account.copyFailed')}>
          <bdi dir="ltr">{address}</bdi>
        </Notice>
      )}
      {leaving.notice}
      <Group name={text('account.title')}>
        {latchkey.options.features?.receive !== false && connected && (
          <Row
            key="receive"
            icon={moreIcons.receive}
            trailing="chevron"
            onClick={() => latchkey.modal.push('WalletReceive')}
          >
            {text('account.receive')}
          </Row>
        )}
        {connected && !(choice && isRoot) && <NetworkEntry choice={choice} />}
        {latchkey.options.multiWallet && <WalletsEntry />}
        {(info?.type === 'AUTH' || (latchkey.options.signIn ?? 'off') !== 'off') && (
          <Row icon={moreIcons.key} trailing="chevron" onClick={() => latchkey.modal.push('AccountSettings')}>
            {text('account.settings')}
          </Row>
        )}
        {slotRows(slots.accountRows)}
        {explorer && /^https?:\/\/[^/@\\]+(\/|$)/i.test(explorer.url) && (
          <Row icon="external" href={`${explorer.url.replace(/\/+$/, '')}/address/${address}`} trailing="external">
            {text('account.explorer', { explorer: explorer.name })}{' '}
            <VisuallyHidden>{text('common.newTab')}</VisuallyHidden>
          </Row>
        )}
        <Row icon={moreIcons.disconnect} danger busy={leaving.busy} onClick={() => void leaving.disconnect()}>
          {text(leaving.busy ? 'account.disconnecting' : 'account.disconnect')}
        </Row>
      </Group>
      <SlotGroups groups={slots.accountGroups} />
    </Screen>
  )
}

/** Renders a notice that the wallet is not responding, with a button to check again. */
function Silent({ wallet, kind }: { readonly wallet: string; readonly kind: 'silent' | 'unknown' }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  const [checking, setChecking] = useState(false)
  const check = async (): Promise<void> => {
    setChecking(true)
    // The result is available in the state.
    await latchkey.checkHealth().catch(() => undefined)
    setChecking(false)
  }
  return (
    <Notice
      kind="warning"
      title={text(`account.${kind}.title`, { wallet })}
      action={{ label: text('account.silent.check'), busy: checking, onClick: () => void check() }}
    >
      {text(`account.${kind}.body`)}
    </Notice>
  )
}

function NetworkEntry({ choice }: { readonly choice: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  const { chain, network } = useNetwork()
  const image = useNetworkImage(network)
  const name = network?.name ?? chain ?? ''
  return (
    <Row
      icon={<WalletLogo name={name} src={image} size={24} shape="round" />}
      detail={name}
      trailing={choice ? 'chevron' : undefined}
      onClick={
        choice
          ? () => {
              latchkey.track({ event: 'CLICK_NETWORKS' })
              latchkey.modal.push('Networks')
            }
          : undefined
      }
    >
      {text('account.network')}
    </Row>
  )
}

function WalletsEntry(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  const info = useWalletInfo()
  const image = useWalletImage(info?.icon === undefined && info?.imageId ? { image_id: info.imageId } : undefined)
  return (
    <Row
      icon={info ? <WalletLogo name={info.name} src={info.icon ?? image} size={24} /> : 'wallet'}
      detail={info?.name}
      trailing="chevron"
      onClick={() => latchkey.modal.push('ProfileWallets')}
    >
      {text('account.wallets')}
    </Row>
  )
}
