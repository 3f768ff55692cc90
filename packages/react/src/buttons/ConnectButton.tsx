import type { Reading } from '@latchkey/core'
import type { NativeBalance, Network } from '@latchkey/core/adapter'
import type { Namespace } from '@latchkey/protocol/caip'
import type { ReactNode } from 'react'
import { useEntry } from '../door.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { useBalance } from '../hooks/useBalance.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useStore } from '../hooks/useStore.ts'
import { useButtonText } from '../i18n/useButtonText.ts'
import type { Account } from '../select.ts'
import { AccountButton, type AccountButtonProps } from './AccountButton.tsx'
import { PageButton, type PerBreakpoint } from './PageButton.tsx'
import { usePresses } from './usePresses.ts'

/** What a connect button takes; once somebody is connected, it is their account button. */
export interface ConnectButtonProps extends AccountButtonProps {
  /** One, or one below and one from 640 px of width. [Connect wallet] */
  readonly label?: PerBreakpoint<string> | undefined
}

function Connect({ label, namespace, ...rest }: ConnectButtonProps): ReactNode {
  const text = useButtonText()
  const account = useAccount(namespace)
  const presses = usePresses(namespace)
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
    <PageButton
      {...looks}
      kind="connect"
      status={account.status}
      busy={connecting || loading}
      onPress={presses.connect}
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
    </PageButton>
  )
}

/** What the render prop of `ConnectButton.Custom` gets. */
export interface ConnectButtonState {
  readonly account: Account
  readonly network: Network | undefined
  /** False when the wallet is on a chain that the host did not name. */
  readonly supported: boolean
  readonly balance: Reading<NativeBalance>
  readonly busy: boolean
  /** Nothing opened, because it could not be loaded: say so until the next press, which tries again. */
  readonly failed: boolean
  readonly openConnect: () => void
  readonly openAccount: () => void
  readonly openNetworks: () => void
}

/** What `ConnectButton.Custom` takes. */
export interface CustomProps {
  readonly namespace?: Namespace | undefined
  readonly children: (now: ConnectButtonState) => ReactNode
}

function Custom({ namespace, children }: CustomProps): ReactNode {
  const account = useAccount(namespace)
  const { network, supported } = useNetwork(namespace)
  const balance = useBalance()
  const loading = useStore((state) => state.modal.loading)
  const presses = usePresses(namespace)
  const entry = useEntry()
  return children({
    account,
    network,
    supported,
    balance,
    busy: loading || entry?.failed === false || account.status === 'connecting' || account.status === 'reconnecting',
    failed: entry?.failed === true,
    openConnect: presses.connect,
    openAccount: presses.account,
    openNetworks: presses.network,
  })
}

/** Opens the ways of connecting; becomes the account once somebody is connected. `ConnectButton.Custom` lets you draw it. */
export const ConnectButton: ((props: ConnectButtonProps) => ReactNode) & {
  readonly Custom: (props: CustomProps) => ReactNode
} = Object.assign(Connect, { Custom })
