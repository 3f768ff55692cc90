import { Button, Screen, Text, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useText } from '../../i18n/useText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { namespaceName } from '../namespaceName.ts'
import { useNetworkImage } from '../useDirectory.ts'

/** The network belongs to another family: another wallet is needed, the present one stays. */
export function SwitchActiveChain({ data }: ViewProps<'SwitchActiveChain'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useText()
  const network = data.network === undefined ? undefined : latchkey.network(data.network)
  const image = useNetworkImage(network)
  const name = network?.name ?? namespaceName(data.namespace)
  const confirm = async (): Promise<void> => {
    if (data.network !== undefined) await latchkey.switchNetwork(data.network).catch(() => undefined)
    latchkey.modal.open({ namespace: data.namespace, view: { view: 'Connect', data: undefined } })
  }
  return (
    <Screen title={text('switchChain.title', { network: name })} align="center">
      <WalletLogo name={name} src={image} size={64} shape="round" />
      <Text tone="soft">{text('switchChain.body', { network: name })}</Text>
      <Button kind="primary" wide onClick={() => void confirm()}>
        {text('switchChain.confirm', { network: name })}
      </Button>
    </Screen>
  )
}
