import type { Namespace } from '@latchkey/protocol/caip'
import type { ReactNode } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useStore } from '../hooks/useStore.ts'
import { useButtonTranslations } from '../i18n/useButtonTranslations.ts'
import { BaseButton, type BaseButtonProps, ButtonPicture } from './BaseButton.tsx'
import { useButtonActions } from './useButtonActions.ts'

/** Props for `NetworkButton`. */
export interface NetworkButtonProps extends BaseButtonProps {
  /** The text to show instead of the network's name. */
  readonly label?: string | undefined
  /** The namespace whose network to show. Defaults to the active namespace. */
  readonly namespace?: Namespace | undefined
}

/**
 * Renders a button that shows the active network and opens the list of networks. Disabled if the host turns off network
 * switching.
 *
 * @example
 * <NetworkButton size="small" />
 */
export function NetworkButton({ label, namespace, disabled, ...buttonProps }: NetworkButtonProps): ReactNode {
  const text = useButtonTranslations()
  const { options } = useLatchkey()
  const actions = useButtonActions(namespace)
  const { network, chain, supported } = useNetwork(namespace)
  const loading = useStore((state) => state.modal.loading)
  const networkName = !supported ? text('button.unsupportedNetwork') : (network?.name ?? text('button.selectNetwork'))
  const name = supported && network ? text('button.network', { name: network.name }) : networkName
  return (
    <BaseButton
      {...buttonProps}
      kind="network"
      status={supported ? (chain === undefined ? 'none' : 'supported') : 'unsupported'}
      busy={loading}
      name={label ?? name}
      disabled={disabled === true || options.networkSwitching === false}
      onPress={actions.network}
    >
      {supported && network?.assets?.imageUrl !== undefined && <ButtonPicture src={network.assets.imageUrl} round />}
      <span>{label ?? networkName}</span>
    </BaseButton>
  )
}
