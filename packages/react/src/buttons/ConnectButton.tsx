import type { QueryState } from '@latchkey/core'
import type { NativeBalance, Network } from '@latchkey/core/adapter'
import type { Namespace } from '@latchkey/protocol/caip'
import type { ReactNode } from 'react'
import { useAccount } from '../hooks/useAccount.ts'
import { useBalance } from '../hooks/useBalance.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useStore } from '../hooks/useStore.ts'
import { useButtonTranslations } from '../i18n/useButtonTranslations.ts'
import { useLoadState } from '../modalLoader.ts'
import type { Account } from '../selectors.ts'
import { AccountButton, type AccountButtonProps } from './AccountButton.tsx'
import { BaseButton, type PerBreakpoint } from './BaseButton.tsx'
import { useButtonActions } from './useButtonActions.ts'

/** What a connect button takes; once somebody is connected, it is their account button. */
export interface ConnectButtonProps extends AccountButtonProps {
  /** One, or one below and one from 640 px of width. [Connect wallet] */
  readonly label?: PerBreakpoint<string> | undefined
}

function Connect({ label, namespace, ...rest }: ConnectButtonProps): ReactNode {
  const text = useButtonTranslations()
  const account = useAccount(namespace)
  const actions = useButtonActions(namespace)
  const loading = useStore(
    (state) => state.modal.loading || (namespace !== undefined && state.modal.loadingBy[namespace] === true),
  )
  // Called, not mounted: both draw the same element at the same place, so that focus survives the change.
  const connected = AccountButton({ namespace, ...rest })
  if (connected !== null) return connected

  const { showBalance: _, ...looks } = rest
  const labels = typeof label === 'object' ? [label.small, label.large] : [label ?? text('button.connect')]
  const connecting = account.status === 'connecting'
  return (
    <BaseButton
      {...looks}
      kind="connect"
      status={account.status}
      busy={connecting || loading}
      onPress={actions.connect}
    >
      {/* The longer of the two words keeps its room, so that nothing moves. */}
      {labels.map((idle, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: there is a small one, and maybe a large one
          key={at}
          data-small={labels[1] && !at}
          data-large={labels[1] && !!at}
          data-spare={connecting ? idle : text('button.connecting')}
        >
          {connecting ? text('button.connecting') : idle}
        </span>
      ))}
    </BaseButton>
  )
}

/** What the render prop of `ConnectButton.Custom` gets. */
export interface ConnectButtonState {
  readonly account: Account
  readonly network: Network | undefined
  /** False when the wallet is on a chain that the host did not name. */
  readonly supported: boolean
  readonly balance: QueryState<NativeBalance>
  readonly busy: boolean
  /** Nothing opened, because it could not be loaded: say so until the next press, which tries again. */
  readonly failed: boolean
  readonly openConnect: () => void
  readonly openAccount: () => void
  readonly openNetworks: () => void
}

/** What `ConnectButton.Custom` takes. */
export interface ConnectButtonCustomProps {
  readonly namespace?: Namespace | undefined
  readonly children: (now: ConnectButtonState) => ReactNode
}

function Custom({ namespace, children }: ConnectButtonCustomProps): ReactNode {
  const account = useAccount(namespace)
  const { network, supported } = useNetwork(namespace)
  const balance = useBalance()
  const loading = useStore((state) => state.modal.loading)
  const actions = useButtonActions(namespace)
  const loadState = useLoadState()
  return children({
    account,
    network,
    supported,
    balance,
    busy:
      loading || loadState?.failed === false || account.status === 'connecting' || account.status === 'reconnecting',
    failed: loadState?.failed === true,
    openConnect: actions.connect,
    openAccount: actions.account,
    openNetworks: actions.network,
  })
}

/** Opens the ways of connecting; becomes the account once somebody is connected. `ConnectButton.Custom` lets you draw it. */
export const ConnectButton: ((props: ConnectButtonProps) => ReactNode) & {
  readonly Custom: (props: ConnectButtonCustomProps) => ReactNode
} = Object.assign(Connect, { Custom })
