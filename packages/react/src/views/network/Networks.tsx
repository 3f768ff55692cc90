import type { Network } from '@latchkey/core/adapter'
import { Button, Group, Icon, IconButton, LiveRegion, Screen, Stack, Text, TextField } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useWalletInfo } from '../../hooks/useWalletInfo.ts'
import type { ViewProps } from '../viewProps.ts'
import { NetworkRow } from './NetworkRow.tsx'
import { useNetworkTranslations } from './useNetworkTranslations.ts'

/** The maximum number of networks for which the list has no search field. */
const fewEnough = 6

/** Renders the list of the host's networks. The active network is marked. */
export function Networks(_: ViewProps<'Networks'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useNetworkTranslations()
  const { known, active } = useStore((state) => state.networks)
  const connections = useStore((state) => state.connections.byNamespace)
  const wallet = useWalletInfo()
  const [typed, setTyped] = useState('')

  const query = typed.trim().toLowerCase()
  const found = known.filter(({ name }) => name.toLowerCase().includes(query))
  /** Whether the wallet cannot switch to this network. */
  const isFixed = ({ chainNamespace, caipNetworkId }: Network) => {
    const now = connections[chainNamespace]
    return (
      now?.status === 'connected' && now.chain !== caipNetworkId && !latchkey.session(chainNamespace)?.can.switchChain
    )
  }

  return (
    <Screen
      title={text('networks.title')}
      footer={
        <Button
          kind="quiet"
          wide
          onClick={() => {
            latchkey.track({ event: 'CLICK_NETWORK_HELP' })
            latchkey.modal.push('WhatIsANetwork')
          }}
        >
          {text('whatIsANetwork.title')}
        </Button>
      }
    >
      {known.length > fewEnough && (
        <TextField
          label={text('networks.search')}
          hideLabel
          placeholder={text('networks.search')}
          inputMode="search"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          leading={<Icon name="search" />}
          trailing={
            typed === '' ? undefined : (
              <IconButton icon="close" label={text('allWallets.clear')} onClick={() => setTyped('')} />
            )
          }
        />
      )}
      {known.length === 0 && <Text tone="soft">{text('networks.empty')}</Text>}
      <LiveRegion>{query !== '' && found.length === 0 ? text('networks.none.title') : ''}</LiveRegion>
      {known.length > 0 && found.length === 0 && (
        <Stack align="center" gap={4}>
          <Text kind="row">{text('networks.none.title')}</Text>
          <Text tone="soft">{text('networks.none.body', { search: typed.trim() })}</Text>
        </Stack>
      )}
      <Group name={text('networks.title')}>
        {found.map((network) => (
          <NetworkRow
            key={network.caipNetworkId}
            network={network}
            selected={network.caipNetworkId === active}
            unavailable={
              isFixed(network)
                ? text('networks.unavailable', { wallet: wallet?.name ?? text('common.yourWallet') })
                : undefined
            }
            onPick={() => {
              if (network.caipNetworkId === active) latchkey.modal.back()
              else latchkey.pickNetwork(network.caipNetworkId)
            }}
          />
        ))}
      </Group>
    </Screen>
  )
}
