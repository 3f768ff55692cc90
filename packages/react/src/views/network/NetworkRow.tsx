import type { Network } from '@latchkey/core/adapter'
import { Row, VisuallyHidden, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useNetworkImage } from '../useDirectory.ts'
import { useNetworkTranslations } from './useNetworkTranslations.ts'

/** Props for `NetworkRow`. */
export interface NetworkRowProps {
  readonly network: Network
  readonly selected?: boolean
  /** The reason why the network cannot be selected. Disables the row. */
  readonly unavailable?: string | undefined
  readonly onPick: () => void
}

/** Renders a row for a network, with its image and name. The active network is marked. */
export function NetworkRow({ network, selected = false, unavailable, onPick }: NetworkRowProps): ReactNode {
  const text = useNetworkTranslations()
  const image = useNetworkImage(network)
  const detail = unavailable ?? (network.testnet ? text('networks.testnet') : undefined)
  return (
    <Row
      icon={<WalletLogo name={network.name} src={image} shape="round" />}
      detail={detail}
      current={selected}
      trailing={selected ? 'check' : undefined}
      disabled={unavailable !== undefined}
      onClick={onPick}
    >
      {network.name}
      {selected && <VisuallyHidden> {text('networks.selected')}</VisuallyHidden>}
    </Row>
  )
}
