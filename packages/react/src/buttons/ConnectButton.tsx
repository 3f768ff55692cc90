import type { QueryResult } from '@latchkey/core'
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

/** Props of `ConnectButton`. Includes those of the account button that it becomes once connected. */
export interface ConnectButtonProps extends AccountButtonProps {
  /** The label, or separate labels for viewports below 640 px and from 640 px. [Connect wallet] */
  readonly label?: PerBreakpoint<string> | undefined
}

function Connect({ label, namespace, ...rest }: ConnectButtonProps): ReactNode {
  const text = useButtonTranslations()
  const account = useAccount(namespace)
  const actions = useButtonActions(namespace)
  const loading = useStore(
    (state) => state.modal.loading || (namespace !== undefined && state.modal.loadingBy[namespace] === true),
  )
  // Called as a function rather than mounted, so that both render the same element and focus is preserved.
  const connected = AccountButton({ namespace, ...rest })
  if (connected !== null) return connected

  const { showBalance: _, ...buttonProps } = rest
  const labels = typeof label === 'object' ? [label.small, label.large] : [label ?? text('button.connect')]
  const connecting = account.status === 'connecting'
  return (
    <BaseButton
      {...buttonProps}
      kind="connect"
      status={account.status}
      busy={connecting || loading}
      onPress={actions.connect}
    >
      {/* Reserve space for the longer label, so that the layout does not shift. */}
      {labels.map((idle, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: at most two labels, in a fixed order
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

/** The state that the render prop of `ConnectButton.Custom` receives. */
export interface ConnectButtonState {
  /** The account of `namespace`, or the active account, as `useAccount()` returns it. */
  readonly account: Account
  /** The network of that account, or the selected network while disconnected. */
  readonly network: Network | undefined
  /** False if the wallet is on a chain that the host does not list. */
  readonly supported: boolean
  /** The native balance of the active account, as `useBalance()` returns it. */
  readonly balance: QueryResult<NativeBalance>
  /** Whether the modal is loading or open, or a wallet is connecting or reconnecting. */
  readonly busy: boolean
  /** Whether the modal could not be loaded. Show this until the next press, which retries. */
  readonly failed: boolean
  /** Opens the modal: the connect view, or the account view while connected. */
  readonly openConnect: () => void
  /** Opens the account view, or UnsupportedChain if the host does not support the wallet's network. */
  readonly openAccount: () => void
  /** Opens the networks, or UnsupportedChain if the host does not support the wallet's network. */
  readonly openNetworks: () => void
}

/** Props of `ConnectButton.Custom`. */
export interface ConnectButtonCustomProps {
  /** The chain family whose account is passed to `children`. [the active one] */
  readonly namespace?: Namespace | undefined
  /** Renders the button. Called again when the state changes. */
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

/**
 * Opens the connect view, and becomes the account button once connected. Use `ConnectButton.Custom` to render your own button.
 *
 * @example
 * <ConnectButton label="Connect" size={{ small: 'small', large: 'medium' }} />
 * <ConnectButton.Custom>
 *   {({ account, openConnect }) => <button onClick={openConnect}>{account.address ?? 'Connect'}</button>}
 * </ConnectButton.Custom>
 */
export const ConnectButton: ((props: ConnectButtonProps) => ReactNode) & {
  readonly Custom: (props: ConnectButtonCustomProps) => ReactNode
} = Object.assign(Connect, { Custom })
