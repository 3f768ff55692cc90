import type { QueryResult } from '@latchkey/core'
import type { NativeBalance, Network } from '@latchkey/core/adapter'
import type { Namespace } from '@latchkey/protocol/caip'
import type { ReactNode } from 'react'
import { useAccount } from '../hooks/useAccount.ts'
import { useBalance } from '../hooks/useBalance.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useStore } from '../hooks/useStore.ts'
import { useButtonTranslations } from '../i18n/useButtonTranslations.ts'
import { useLoadState } from '../ModalLoaderContext.ts'
import type { Account } from '../selectors.ts'
import { AccountButton, type AccountButtonProps } from './AccountButton.tsx'
import { BaseButton, type PerBreakpoint } from './BaseButton.tsx'
import { useButtonActions } from './useButtonActions.ts'

/** Props for `ConnectButton`. They include the props for `AccountButton`, which is shown once a wallet is connected. */
export interface ConnectButtonProps extends AccountButtonProps {
  /** The label, which can depend on the viewport width. Defaults to "Connect wallet" in the current language. */
  readonly label?: PerBreakpoint<string> | undefined
}

function Connect({ label, namespace, ...rest }: ConnectButtonProps): ReactNode {
  const text = useButtonTranslations()
  const account = useAccount(namespace)
  const actions = useButtonActions(namespace)
  const loading = useStore(
    (state) => state.modal.loading || (namespace !== undefined && state.modal.loadingBy[namespace] === true),
  )
  // Called as a function rather than rendered as an element, so that both buttons share one DOM element and focus is kept.
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
      {/* The space for the longer label is reserved, so that the layout does not shift. */}
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

/** The state that `ConnectButton.Custom` passes to its render prop. */
export interface ConnectButtonState {
  /** The account in `namespace`, or the active account, as returned by `useAccount()`. */
  readonly account: Account
  /** The account's network, or the selected network while disconnected. */
  readonly network: Network | undefined
  /** Whether the host lists the wallet's current chain. */
  readonly supported: boolean
  /** The active account's native balance, as returned by `useBalance()`. */
  readonly balance: QueryResult<NativeBalance>
  /** Whether the modal is being loaded, or a wallet is connecting or reconnecting. */
  readonly busy: boolean
  /** Whether the modal failed to load. Pressing the button again retries. */
  readonly failed: boolean
  /** Opens the connect view, or the account view while connected. */
  readonly openConnect: () => void
  /** Opens the account view, or the UnsupportedChain view if the host does not support the wallet's network. */
  readonly openAccount: () => void
  /** Opens the networks view, or the UnsupportedChain view if the host does not support the wallet's network. */
  readonly openNetworks: () => void
}

/** Props for `ConnectButton.Custom`. */
export interface ConnectButtonCustomProps {
  /** The namespace whose account is passed to `children`. Defaults to the active namespace. */
  readonly namespace?: Namespace | undefined
  /** The render prop, which is called again whenever the state changes. */
  readonly children: (now: ConnectButtonState) => ReactNode
}

function Custom({ namespace, children }: ConnectButtonCustomProps): ReactNode {
  const account = useAccount(namespace)
  const { network, supported } = useNetwork(namespace)
  const balance = useBalance()
  const actions = useButtonActions(namespace)
  const loadState = useLoadState()
  return children({
    account,
    network,
    supported,
    balance,
    busy: loadState?.failed === false || account.status === 'connecting' || account.status === 'reconnecting',
    failed: loadState?.failed === true,
    openConnect: actions.connect,
    openAccount: actions.account,
    openNetworks: actions.network,
  })
}

/**
 * Renders a button that opens the connect view and becomes the account button once connected. To render your own button, use
 * `ConnectButton.Custom`.
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
