import type { Network } from '@latchkey/core/adapter'
import { type ChainId, chainOf } from '@latchkey/protocol/caip'
import { pollMs } from '@latchkey/protocol/specificationConstants'
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
  SegmentedControl,
  Spinner,
  Text,
  useStyleSheet,
  VisuallyHidden,
  WalletLogo,
} from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { canSwitchNetwork } from '../../hooks/canSwitchNetwork.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalance } from '../../hooks/useBalance.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { type UsePortfolioReturnType, usePortfolio } from '../../hooks/usePortfolio.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useWalletInfo } from '../../hooks/useWalletInfo.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { useSlots } from '../../slots.ts'
import { explorerLink } from '../explorerLink.ts'
import { LazyBackupWarning } from '../login/LazyBackupWarning.tsx'
import { SlotGroups, slotRows } from '../SlotRows.tsx'
import { useCopyToClipboard } from '../useCopyToClipboard.ts'
import { useNetworkImage, useWalletImage } from '../useDirectory.ts'
import { useDisconnectAction } from '../useDisconnectAction.tsx'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './Account.css?inline'
import { AccountActions } from './AccountActions.tsx'
import { AccountName } from './AccountName.tsx'
import { AccountTotal } from './AccountTotal.tsx'
import { accountMessages } from './accountMessages.ts'
import { LazyRecentActivity } from './LazyRecentActivity.tsx'
import { TokenList } from './TokenList.tsx'
import { useOnrampSupport } from './useOnrampSupport.ts'
import { useSwapSupport } from './useSwapSupport.ts'
import { hasServer, listsTokens, offeredFeatures, showsActivity } from './walletFeatures.ts'

// Size budget: 9 kB, because of the tokens with their prices and the recent activity.

const messages = { ...viewMessages, ...accountMessages } as const

/** Renders the account view with the user's identity, value, actions, tokens and activity. */
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
  const text = useTranslations(messages)
  const slots = useSlots()
  const balance = useBalance()
  const tokensAreListed = listsTokens(latchkey.options, chain)
  const portfolio = usePortfolio({ enabled: tokensAreListed, pollMs })
  const identity = useStore((state) => state.account.identity)
  const info = useWalletInfo()
  const leaving = useDisconnectAction()
  const { status: copyStatus, copy } = useCopyToClipboard()
  // The backup warning stays visible after the "copied" status has disappeared.
  const [taken, setTaken] = useState(false)

  const known = 'value' in identity ? identity.value : undefined
  const wallet = info?.name ?? text('common.yourWallet')
  const network = chain === undefined ? undefined : latchkey.network(chain)
  const explorer = explorerLink(network, 'address', address)
  const connected = status === 'connected'
  const swaps = useSwapSupport(connected ? chain : undefined)
  const onramp = useOnrampSupport(connected ? chain : undefined)
  const features = connected ? offeredFeatures(latchkey.options, { chain, swaps, onramp }) : []
  // A single button would fill the whole width, so a row is shown instead.
  const onlyReceives = features.length === 1 && features[0] === 'receive'
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
        {connected && (
          <AccountTotal
            total={tokensAreListed ? portfolio.total : undefined}
            isLoading={tokensAreListed && portfolio.tokens.value === undefined && portfolio.tokens.status !== 'failed'}
            balance={balance}
          />
        )}
      </div>
      {taken && <LazyBackupWarning />}
      {copyStatus === 'failed' && (
        <Notice kind="warning" title={text('account.copyFailed')}>
          <bdi dir="ltr">{address}</bdi>
        </Notice>
      )}
      {leaving.notice}
      {features.length > 0 && !onlyReceives && <AccountActions features={features} />}
      {connected && network && latchkey.supports(network.caipNetworkId) && (
        <AccountLists network={network} tokens={tokensAreListed ? portfolio : undefined} />
      )}
      <Group name={text('account.title')}>
        {onlyReceives && (
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
        {explorer && (
          <Row icon="external" href={explorer.href} trailing="external">
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

/** Renders the account's tokens and activity, as tabs if there are both. */
function AccountLists({
  network,
  tokens,
}: {
  readonly network: Network
  readonly tokens: UsePortfolioReturnType | undefined
}): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(accountMessages)
  const [tab, setTab] = useState<'tokens' | 'activity'>('tokens')
  // Without a server, there is no history, but the transactions that the page sent are known.
  const hasSent = useStore((state) => state.activity.length > 0)
  const canShow = showsActivity(latchkey.options, network.caipNetworkId)
  useEffect(() => {
    // Restores the transactions that the page sent before it was reloaded. If that fails, they are not shown.
    if (canShow) latchkey.transactions().catch(() => undefined)
  }, [latchkey, canShow])
  const hasActivity = canShow && (hasServer(latchkey.options) || hasSent)
  const list = tokens && (
    <TokenList tokens={tokens.tokens} network={network} onRetry={() => void tokens.refresh({ force: [] })} />
  )
  const activity = hasActivity && <LazyRecentActivity network={network} />
  if (!list || !activity) return list || activity || null
  return (
    <SegmentedControl
      label={text('account.lists')}
      tabs={[
        { key: 'tokens', label: text('account.tokens') },
        { key: 'activity', label: text('account.activity') },
      ]}
      value={tab}
      onChange={setTab}
    >
      {tab === 'tokens' ? list : activity}
    </SegmentedControl>
  )
}

/** Renders a notice that the wallet is not responding or cannot be reached, with a button to check again. */
function Silent({ wallet, kind }: { readonly wallet: string; readonly kind: 'silent' | 'unknown' }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(messages)
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
  const text = useTranslations(messages)
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
  const text = useTranslations(messages)
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
