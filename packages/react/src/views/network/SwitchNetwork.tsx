import { namespaceOf } from '@latchkey/protocol/caip'
import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { Button, Screen, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useWalletInfo } from '../../hooks/useWalletInfo.ts'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { translateError } from '../translateError.ts'
import { useAsyncTask } from '../useAsyncTask.ts'
import { useNetworkImage } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import { type NetworkTranslator, useNetworkTranslations } from './useNetworkTranslations.ts'

/** Asks the wallet to switch networks and shows the result. */
export function SwitchNetwork({ data }: ViewProps<'SwitchNetwork'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useNetworkTranslations()
  const network = latchkey.network(data.network)
  const image = useNetworkImage(network)
  const active = useStore((state) => state.networks.active)
  const info = useWalletInfo(namespaceOf(data.network))
  const { state: task, attempt, retry } = useAsyncTask(() => latchkey.switchNetwork(data.network))

  const name = network?.name ?? data.network
  const wallet = info?.name ?? text('common.yourWallet')
  const failed = task.status === 'failed'
  const unable = failed && isUnable(task.error)
  const stays = active === undefined ? undefined : latchkey.network(active)?.name
  const copy = failed
    ? failureSays(text, { wallet, network: name, stays, error: task.error })
    : {
        title: text('switchNetwork.waiting.title', { wallet }),
        body: text('switchNetwork.waiting.body', { wallet, network: name }),
      }
  return (
    <Screen title={text('switchNetwork.title', { network: name })} align="center">
      <ProgressStatus state={task.status} logo={<WalletLogo name={name} src={image} size={64} />} {...copy} />
      {unable && (
        <Button kind="primary" wide onClick={() => latchkey.modal.back()}>
          {text('switchNetwork.elsewhere')}
        </Button>
      )}
      {(failed || attempt > 1) && (
        <Button kind={unable ? 'secondary' : 'primary'} wide icon="retry" busy={!failed} onClick={retry}>
          {text('common.retry')}
        </Button>
      )}
    </Screen>
  )
}

function isUnable(error: LatchkeyError): boolean {
  return (
    isLatchkeyError(error, 'wallet/unsupported') ||
    isLatchkeyError(error, 'network/unsupported') ||
    isLatchkeyError(error, 'network/not-found')
  )
}

function failureSays(
  text: NetworkTranslator,
  now: { wallet: string; network: string; stays: string | undefined; error: LatchkeyError },
): { title: string; body: string } {
  const { wallet, network, stays, error } = now
  if (error.code === 'user/rejected')
    return {
      title: text('switchNetwork.declined.title'),
      body:
        stays === undefined
          ? text('switchNetwork.declined.bodyUnknown')
          : text('switchNetwork.declined.body', { network: stays }),
    }
  if (isUnable(error))
    return {
      title: text('switchNetwork.unsupported.title', { wallet, network }),
      body: text('switchNetwork.unsupported.body'),
    }
  if (error.code === 'wallet/unresponsive' || error.code === 'request/timeout')
    return { title: text('connecting.silent.title', { wallet }), body: text('connecting.silent.body', { wallet }) }
  if (error.code === 'wallet/busy')
    return { title: text('connecting.busy.title'), body: text('connecting.busy.body', { wallet }) }
  return { title: text('switchNetwork.failed.title'), body: translateError(text, error) }
}
