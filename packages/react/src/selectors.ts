import type { AccountDetails, ConnectionState, ConnectorInfo, State } from '@latchkey/core'
import type { AccountId, ChainId, Namespace } from '@latchkey/protocol/caip'
import { addressOf } from '@latchkey/protocol/caip'

/** An account. Check its `status` to narrow the type to the fields of that state. */
export type Account<N extends Namespace = Namespace> =
  | {
      readonly status: 'disconnected' | 'connecting'
      readonly account: undefined
      readonly address: undefined
      readonly chain: undefined
      readonly accounts: readonly []
      readonly connectorId: string | undefined
      readonly health: 'ok'
    }
  | {
      /** The connection was restored from storage or from server-rendered state, and the wallet has not responded yet. */
      readonly status: 'reconnecting'
      readonly account: AccountId<N> | undefined
      readonly address: string | undefined
      readonly chain: ChainId<N> | undefined
      readonly accounts: readonly AccountId<N>[]
      readonly connectorId: string
      /** `unknown` if the connection could not be restored because of an outage. Latchkey keeps retrying. */
      readonly health: 'ok' | 'unknown'
    }
  | (AccountDetails & {
      readonly status: 'connected'
      readonly account: AccountId<N>
      readonly address: string
      readonly chain: ChainId<N>
      readonly accounts: readonly [AccountId<N>, ...AccountId<N>[]]
      readonly connectorId: string
      /** `silent` if the wallet has stopped responding. */
      readonly health: 'ok' | 'silent'
    })

const noAccount = { account: undefined, address: undefined, chain: undefined, accounts: [], health: 'ok' } as const

/**
 * Returns the connection in `namespace`. Without a `namespace`, returns the active connection, or else the first connection that
 * is not disconnected.
 */
export function selectConnection(state: State, namespace?: Namespace): ConnectionState | undefined {
  const { byNamespace } = state.connections
  const selected = namespace ?? state.networks.namespace
  if (selected !== undefined && byNamespace[selected]) return byNamespace[selected]
  return namespace === undefined
    ? Object.values(byNamespace).find(({ status }) => status !== 'disconnected')
    : undefined
}

/** Returns the account in `namespace`, or the active account if `namespace` is omitted. */
export function selectAccount<N extends Namespace = Namespace>(state: State, namespace?: N): Account<N> {
  const now = selectConnection(state, namespace) as ConnectionState<N> | undefined
  if (now === undefined || now.status === 'disconnected')
    return { status: 'disconnected', ...noAccount, connectorId: undefined }
  if (now.status === 'connecting') return { status: 'connecting', ...noAccount, connectorId: now.connectorId }
  const { connectorId, chain, accounts } = now
  const [account] = accounts
  const address = account && addressOf(account)
  if (now.status === 'reconnecting')
    return {
      status: 'reconnecting',
      account,
      address,
      chain,
      accounts,
      connectorId,
      health: now.error ? 'unknown' : 'ok',
    }
  const [first] = now.accounts
  return {
    status: 'connected',
    account: first,
    address: addressOf(first),
    chain: now.chain,
    accounts: now.accounts,
    connectorId,
    health: now.health,
    ...now.details,
  }
}

/** Returns the connector used in `namespace`, or the connector of the active connection if `namespace` is omitted. */
export function selectWallet(state: State, namespace?: Namespace): ConnectorInfo | undefined {
  const now = selectConnection(state, namespace)
  if (now === undefined || now.status === 'disconnected') return undefined
  const connectors = state.wallets.connectors.filter(({ id }) => id === now.connectorId)
  return (
    connectors.find((connector) => connector.namespace === (namespace ?? state.networks.namespace)) ?? connectors[0]
  )
}

/** Whether two objects are shallowly equal. */
export function isShallowEqual<T extends object>(a: T, b: T): boolean {
  if (Object.is(a, b)) return true
  const keys = Object.keys(a) as (keyof T)[]
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]))
}
