import { Button, Group, Row, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { useSlots } from '../../slots.ts'
import { isMobile } from '../isMobile.ts'
import { useConsent } from '../LegalConsent.tsx'
import { slotRows } from '../SlotRows.tsx'
import { hasDirectory, useDirectory } from '../useDirectory.ts'
import { ConnectorRow } from './ConnectorRow.tsx'
import { useDirectoryWallets, WalletRow } from './WalletRow.tsx'

/** Renders the available wallets, then recent, featured and recommended wallets, then "All wallets". */
export function WalletList(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const { connectRows } = useSlots()
  const { blocked } = useConsent()
  const ready = useStore((state) => state.ready)
  const { connectors } = useStore((state) => state.wallets)
  const connectorGroups = latchkey.shown()
  // A user who can pair a wallet does not need help with getting one. On phones, users pair a wallet from "All wallets".
  const pairs = connectors.some(({ type }) => type === 'WALLET_CONNECT')

  const { wallets, coming } = useDirectoryWallets()
  const all = useAllWallets()

  if (!ready) return <Skeleton kind="row" count={3} />
  // A group renders a list item for each child, so hidden rows must be left out of the list.
  const rows: readonly ReactNode[] = [
    ...connectorGroups.map((connector) => (
      <ConnectorRow key={`${connector.namespace} ${connector.id}`} connector={connector} disabled={blocked} />
    )),
    ...wallets.map((wallet) => <WalletRow key={`listed ${wallet.id}`} wallet={wallet} disabled={blocked} />),
    ...(coming > 0 ? [<Skeleton key="coming" kind="row" count={coming} />] : []),
    ...slotRows(connectRows, { disabled: blocked }),
    ...(all.offered ? [<AllWalletsRow key="all" count={all.count} disabled={blocked} />] : []),
  ]
  return (
    <>
      {connectorGroups.length === 0 && !pairs && <NoWallet />}
      {rows.length > 0 && <Group name={text('connect.wallets')}>{rows}</Group>}
    </>
  )
}

/** Returns whether to offer "All wallets", and the number of wallets once the first page has loaded. */
function useAllWallets(): { readonly offered: boolean; readonly count: number | undefined } {
  const latchkey = useLatchkey()
  const setting = latchkey.options.features?.allWallets ?? true
  const offered = hasDirectory(latchkey) && (setting === true || (setting === 'only-mobile' && isMobile(latchkey)))
  const { directory, state } = useDirectory({ disabled: !offered })
  useEffect(() => {
    // The first page is loaded in advance, because it contains the count and is needed when the user opens the list. Its images are
    // only needed then.
    if (directory && directory.state.get().pages.status === 'idle') void directory.nextPage({ images: false })
  }, [directory])
  const pages = state?.pages.value
  return { offered, count: pages?.count }
}

interface AllWalletsRowProps {
  readonly count: number | undefined
  readonly disabled: boolean
}

function AllWalletsRow({ count, disabled }: AllWalletsRowProps): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  return (
    <Row
      icon="search"
      disabled={disabled}
      trailing={count === undefined ? 'chevron' : text.number(count)}
      onClick={() => {
        latchkey.track({ event: 'CLICK_ALL_WALLETS' })
        latchkey.modal.push('AllWallets')
      }}
    >
      {text('connect.allWallets')}
    </Row>
  )
}

function NoWallet(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  // If other connection methods are available, this button is not the primary action.
  const only = latchkey.connectMethods().length === 1
  return (
    <Stack align="center">
      {only && <Text kind="row">{text('connect.none.title')}</Text>}
      {only && <Text tone="soft">{text('connect.none.body')}</Text>}
      <Button
        kind={only ? 'primary' : 'secondary'}
        wide
        onClick={() => {
          latchkey.track({ event: 'CLICK_GET_WALLET' })
          latchkey.modal.push('GetWallet')
        }}
      >
        {text('connect.getWallet')}
      </Button>
    </Stack>
  )
}
