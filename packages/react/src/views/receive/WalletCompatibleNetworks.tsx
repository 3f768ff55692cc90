import type { Network } from '@latchkey/core/adapter'
import { Group, Notice, Row, Screen, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { networkMessages } from '../network/networkMessages.ts'
import { useNetworkImage } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import { compatibleNetworksMessages } from './compatibleNetworksMessages.ts'
import { receiveMessages } from './receiveMessages.ts'
import { useCompatibleNetworks } from './useCompatibleNetworks.ts'

const messages = { ...networkMessages, ...receiveMessages, ...compatibleNetworksMessages } as const

/** Renders the networks on which the account's address can receive assets. */
export function WalletCompatibleNetworks(_: ViewProps<'WalletCompatibleNetworks'>): ReactNode {
  const text = useTranslations(messages)
  const { kind, networks, active } = useCompatibleNetworks()
  const warning =
    kind === 'smartAccount'
      ? text('receive.networks.smart')
      : kind === 'key'
        ? text('receive.networks.own')
        : text('receive.networks.unknown', { network: active?.name ?? '' })
  return (
    <Screen title={text('receive.networks.title')}>
      <Notice kind="warning">{warning}</Notice>
      <Group name={text('receive.networks.title')}>
        {networks.map((network) => (
          <NetworkEntry
            key={network.caipNetworkId}
            network={network}
            detail={
              network === active
                ? text('receive.networks.active')
                : network.testnet
                  ? text('networks.testnet')
                  : undefined
            }
          />
        ))}
      </Group>
    </Screen>
  )
}

function NetworkEntry({
  network,
  detail,
}: {
  readonly network: Network
  readonly detail: string | undefined
}): ReactNode {
  const image = useNetworkImage(network)
  return (
    <Row icon={<WalletLogo name={network.name} src={image} shape="round" />} detail={detail}>
      {network.name}
    </Row>
  )
}
