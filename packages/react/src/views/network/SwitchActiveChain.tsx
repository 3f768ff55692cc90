import { route } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { Button, Notice, Screen, Text, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { namespaceName } from '../namespaceName.ts'
import { translateError } from '../translateError.ts'
import { useNetworkImage } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import { useNetworkTranslations } from './useNetworkTranslations.ts'

/** Renders the view for switching to a network in a namespace that needs a different wallet. */
export function SwitchActiveChain({ data }: ViewProps<'SwitchActiveChain'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useNetworkTranslations()
  const network = data.network === undefined ? undefined : latchkey.network(data.network)
  const image = useNetworkImage(network)
  const name = network?.name ?? namespaceName(data.namespace)
  const [failure, setFailure] = useState<LatchkeyError>()
  const confirm = async (): Promise<void> => {
    // Without a network, only the namespace can be selected. With a network, `switchNetwork` opens the next view.
    if (data.network === undefined) return latchkey.modal.open({ namespace: data.namespace, view: route('Connect') })
    setFailure(undefined)
    await latchkey.switchNetwork(data.network).catch((error: unknown) => setFailure(toLatchkeyError(error)))
  }
  return (
    <Screen title={text('switchChain.title', { network: name })} align="center">
      <WalletLogo name={name} src={image} size={64} shape="round" />
      <Text tone="soft">{text('switchChain.body', { network: name })}</Text>
      {failure && (
        <Notice kind="error" title={text('switchNetwork.failed.title')}>
          {translateError(text, failure)}
        </Notice>
      )}
      <Button kind="primary" wide onClick={() => void confirm()}>
        {text('switchChain.confirm', { network: name })}
      </Button>
    </Screen>
  )
}
