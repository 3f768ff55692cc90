import type { ConnectorInfo, State } from '@latchkey/core'
import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { Button, Screen, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { ConsentBox, useConsent } from '../LegalConsent.tsx'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { translateError } from '../translateError.ts'
import { useAsyncTask } from '../useAsyncTask.ts'
import { useTimeout } from '../useClock.ts'
import { useWalletImage } from '../useDirectory.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { connectingMessages } from './connectingMessages.ts'

const messages = { ...viewMessages, ...connectingMessages } as const

/** How long to wait for a response before showing a hint and a retry button. */
const slowMs = 10_000

/** Connects a wallet and shows the progress and any error. Leaving the view cancels the request. */
export function ConnectingExternal({ data }: ViewProps<'ConnectingExternal'>): ReactNode {
  const { connectorId, namespace } = data
  const latchkey = useLatchkey()
  const text = useTranslations(messages)
  const found = useStore((state) => connectorOf(state, connectorId, namespace))
  // Stored so that the name stays visible if the wallet disappears during the request.
  const [wallet] = useState(found)
  const [already] = useState(() => isConnected(latchkey.state.get(), connectorId, namespace))
  const { blocked } = useConsent()
  // The host can open this view directly, so consent must be checked here too.
  const needsConsent = blocked && !already
  const {
    state: task,
    attempt,
    retry,
  } = useAsyncTask((signal) => latchkey.connect({ connectorId, namespace, signal }), {
    disabled: already || needsConsent,
  })
  const slow = useTimeout({ ms: slowMs, active: task.status === 'waiting' && !already && !needsConsent, key: attempt })
  const image = useWalletImage(wallet?.icon === undefined && wallet?.imageId ? { image_id: wallet.imageId } : undefined)

  const name = (found ?? wallet)?.name ?? text('common.yourWallet')
  const copy = already
    ? alreadyCopy(text, name)
    : task.status === 'failed'
      ? failureCopy(text, name, task.error)
      : waitingCopy(text, name, slow)
  const failed = task.status === 'failed' && !already
  const missing = failed && isLatchkeyError(task.error, 'wallet/not-found')
  const busy = task.status !== 'failed'
  if (needsConsent)
    return (
      <Screen title={name} align="center">
        <WalletLogo name={name} src={wallet?.icon ?? image} size={64} />
        <ConsentBox />
      </Screen>
    )
  return (
    <Screen title={name} align="center">
      <ProgressStatus
        state={already || task.status === 'done' ? 'done' : failed ? 'failed' : 'waiting'}
        logo={<WalletLogo name={name} src={wallet?.icon ?? image} size={64} />}
        {...copy}
      />
      {already && (
        <Button kind="primary" wide onClick={() => latchkey.modal.reset('Account')}>
          {text('connecting.account')}
        </Button>
      )}
      {missing && <GetIt wallet={wallet} name={name} />}
      {/* Once the button has been shown, it stays, so that keyboard users do not lose focus. */}
      {!already && (failed || slow || attempt > 1) && (
        <Button
          kind={failed && !missing ? 'primary' : 'secondary'}
          wide
          icon="retry"
          busy={busy && !slow}
          onClick={retry}
        >
          {text('common.retry')}
        </Button>
      )}
    </Screen>
  )
}

function GetIt({ wallet, name }: { readonly wallet: ConnectorInfo | undefined; readonly name: string }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(messages)
  return (
    <Button
      kind="primary"
      wide
      onClick={() => {
        if (wallet?.homepage === undefined) latchkey.modal.push('GetWallet')
        else
          latchkey.modal.push('Downloads', {
            wallet: { id: wallet.explorerId ?? wallet.id, name, homepage: wallet.homepage },
          })
      }}
    >
      {wallet?.homepage === undefined ? text('connect.getWallet') : text('connecting.get', { wallet: name })}
    </Button>
  )
}

interface StatusCopy {
  readonly title: string
  readonly body: string
}

function waitingCopy(text: Translator<Source & typeof messages>, wallet: string, slow: boolean): StatusCopy {
  return {
    title: text('connecting.waiting.title', { wallet }),
    body: text(slow ? 'connecting.slow' : 'connecting.waiting.body', { wallet }),
  }
}

function alreadyCopy(text: Translator<Source & typeof messages>, wallet: string): StatusCopy {
  return { title: text('connecting.already.title'), body: text('connecting.already.body', { wallet }) }
}

function failureCopy(text: Translator<Source & typeof messages>, wallet: string, error: LatchkeyError): StatusCopy {
  switch (error.code) {
    case 'user/rejected':
      return { title: text('connecting.declined.title'), body: text('connecting.declined.body', { wallet }) }
    case 'wallet/unresponsive':
    case 'request/timeout':
      return { title: text('connecting.silent.title', { wallet }), body: text('connecting.silent.body', { wallet }) }
    case 'wallet/busy':
      return { title: text('connecting.busy.title'), body: text('connecting.busy.body', { wallet }) }
    case 'wallet/not-found':
      return { title: text('connecting.missing.title', { wallet }), body: text('connecting.missing.body') }
    case 'network/unsupported':
    case 'network/not-found':
      return { title: text('connecting.network.title'), body: text('connecting.network.body', { wallet }) }
    default:
      return { title: text('connecting.failed.title'), body: translateError(text, error) }
  }
}

function connectorOf(state: State, id: string, namespace: string): ConnectorInfo | undefined {
  return state.wallets.connectors.find((connector) => connector.id === id && connector.namespace === namespace)
}

function isConnected(state: State, id: string, namespace: string): boolean {
  return Object.entries(state.connections.byNamespace).some(
    ([where, now]) =>
      where === namespace && now.status === 'connected' && now.connectorId === id && now.health === 'ok',
  )
}
