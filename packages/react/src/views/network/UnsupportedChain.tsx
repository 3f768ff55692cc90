import { Button, Group, moreIcons, Screen, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useDisconnectAction } from '../useDisconnectAction.tsx'
import type { ViewProps } from '../viewProps.ts'
import { NetworkRow } from './NetworkRow.tsx'
import { useNetworkTranslations } from './useNetworkTranslations.ts'

/** Renders the view for a wallet on a network that the app does not support. The user can switch networks or disconnect. */
export function UnsupportedChain(_: ViewProps<'UnsupportedChain'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useNetworkTranslations()
  const known = useStore((state) => state.networks.known)
  const leaving = useDisconnectAction()
  return (
    <Screen
      title={text('unsupported.title')}
      footer={
        <Button
          kind="danger"
          wide
          icon={moreIcons.disconnect}
          busy={leaving.busy}
          onClick={() => void leaving.disconnect()}
        >
          {text(leaving.busy ? 'account.disconnecting' : 'account.disconnect')}
        </Button>
      }
    >
      <Text tone="soft">{text('unsupported.body')}</Text>
      {leaving.notice}
      <Group name={text('networks.title')}>
        {known.map((network) => (
          <NetworkRow
            key={network.caipNetworkId}
            network={network}
            onPick={() => latchkey.pickNetwork(network.caipNetworkId)}
          />
        ))}
      </Group>
    </Screen>
  )
}
