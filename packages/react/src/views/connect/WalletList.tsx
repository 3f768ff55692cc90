import { Button, Group, Row, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useText } from '../../i18n/useText.ts'
import { useSlots } from '../../slots.ts'
import { isMobile } from '../isMobile.ts'
import { slotRows } from '../SlotRows.tsx'
import { hasDirectory, useDirectory } from '../useDirectory.ts'
import { ConnectorRow } from './ConnectorRow.tsx'
import { useConsent } from './Consent.tsx'
import { ListedRows } from './ListedRows.tsx'

/** The wallets: found here first, then what the host features, then the way to all the others. */
export function WalletList(): ReactNode {
  const latchkey = useLatchkey()
  const text = useText()
  const { connectRows } = useSlots()
  const { blocked } = useConsent()
  const started = useStore((state) => state.started)
  useStore((state) => state.wallets)
  const shown = latchkey.shown()

  if (!started) return <Skeleton kind="row" count={3} />
  return (
    <>
      {shown.length === 0 && <NoWallet />}
      <Group name={text('connect.wallets')}>
        {shown.map((connector) => (
          <ConnectorRow key={`${connector.namespace} ${connector.id}`} connector={connector} disabled={blocked} />
        ))}
        <ListedRows disabled={blocked} />
        {slotRows(connectRows, { disabled: blocked })}
        <AllWalletsRow disabled={blocked} />
      </Group>
    </>
  )
}

function AllWalletsRow({ disabled }: { readonly disabled: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const text = useText()
  const wanted = latchkey.options.features?.allWallets ?? true
  const off = !hasDirectory(latchkey) || wanted === false || (wanted === 'only-mobile' && !isMobile(latchkey))
  const { directory, state } = useDirectory({ off })
  useEffect(() => {
    // The first page brings the count; it is there when the visitor goes on.
    if (directory && directory.state.get().pages.status === 'idle') void directory.nextPage()
  }, [directory])
  if (off) return null
  const pages = state && 'value' in state.pages ? state.pages.value : undefined
  return (
    <Row
      icon="search"
      disabled={disabled}
      trailing={pages ? text.number(pages.count) : 'chevron'}
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
  const text = useText()
  return (
    <Stack align="center">
      <Text kind="row">{text('connect.none.title')}</Text>
      <Text tone="soft">{text('connect.none.body')}</Text>
      <Button
        kind="primary"
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
