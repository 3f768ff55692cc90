import { Button, Group, Row, Skeleton, Stack, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { useSlots } from '../../slots.ts'
import { isMobile } from '../isMobile.ts'
import { useConsent } from '../LegalConsent.tsx'
import { slotRows } from '../SlotRows.tsx'
import { hasDirectory, useDirectoryRequest, useDirectoryState } from '../useDirectory.ts'
import { ConnectorRow } from './ConnectorRow.tsx'
import { useDirectoryWallets, WalletRow } from './WalletRow.tsx'

/** Renders the available wallets, then recent, featured and recommended wallets, then the host's rows and "All wallets". */
export function WalletList(): ReactNode {
  const ready = useStore((state) => state.ready)
  return ready ? <Wallets /> : <Skeleton kind="row" count={3} />
}

function Wallets(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const { connectRows } = useSlots()
  const { blocked } = useConsent()
  const { connectors } = useStore((state) => state.wallets)
  const connectorGroups = latchkey.shown()
  // A user who can pair a wallet does not need help getting one. On phones, users pair a wallet from "All wallets".
  const pairs = connectors.some(({ type }) => type === 'WALLET_CONNECT')
  const { wallets, coming } = useDirectoryWallets()
  const { features, customWallets } = latchkey.options
  const { allWallets = true } = features ?? {}
  const mobile = isMobile(latchkey)
  // The directory lists wallets for the app's networks, so it is empty if all of them are local chains.
  const isEmpty = useDirectoryState((state) => state?.pages.value?.count === 0)
  const listsAll =
    hasDirectory(latchkey) &&
    (allWallets === true || (allWallets === 'only-mobile' && mobile)) &&
    (!isEmpty || !!customWallets?.length || (pairs && mobile))

  // A group renders a list item for each child, so hidden rows must be left out of the list.
  const rows: readonly ReactNode[] = [
    ...connectorGroups.map((connector) => (
      <ConnectorRow key={`${connector.namespace} ${connector.id}`} connector={connector} disabled={blocked} />
    )),
    ...wallets.map((wallet) => <WalletRow key={`listed ${wallet.id}`} wallet={wallet} disabled={blocked} />),
    ...(coming > 0 ? [<Skeleton key="coming" kind="row" count={coming} />] : []),
    ...slotRows(connectRows, { disabled: blocked }),
    ...(listsAll ? [<AllWalletsRow key="all" disabled={blocked} />] : []),
  ]
  return (
    <>
      {connectorGroups.length === 0 && !pairs && <NoWallet />}
      {rows.length > 0 && <Group name={text('connect.wallets')}>{rows}</Group>}
    </>
  )
}

function AllWalletsRow({ disabled }: { readonly disabled: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const count = useDirectoryState((state) => state?.pages.value?.count)
  // The first page is loaded in advance, because it contains the count and is needed when the user opens the list. Its images are
  // only needed then.
  useDirectoryRequest(
    (directory) => directory.state.get().pages.status === 'idle' && directory.nextPage({ images: false }),
  )
  return (
    <Row
      icon="search"
      disabled={disabled}
      trailing={count ? text.number(count) : 'chevron'}
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
