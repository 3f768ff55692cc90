import { type AccountId, accountId, addressOf, type ChainId, type Namespace } from '@latchkey/protocol/caip'
import type { Connector } from '../adapter.ts'
import type { ConnectionState } from '../latchkeyTypes.ts'
import type { Networks } from '../networks/networks.ts'
import type { StorageSchema, StoredConnection } from '../storage/storageSchema.ts'
import type { LiveSession } from './liveSession.ts'

/** The stored connections of a namespace, from the last visit. */
export interface StoredNamespace {
  readonly namespace: Namespace
  /** The connector that becomes active. */
  readonly connectorId: string
  /** The connectors to restore, including the active one. */
  readonly connectorIds: readonly string[]
  /** The chain and the accounts of the active connector. */
  readonly chain: ChainId | undefined
  readonly accounts: readonly AccountId[]
}

type Records = Pick<StorageSchema, 'clearCaches' | 'connectedNamespaces' | 'connections' | 'connectorId' | 'status'>

/**
 * Stores the live sessions of a namespace. Its connections that are still being restored stay stored, and nothing changes while
 * the active one is among them.
 */
export function storeConnections({
  namespace,
  sessions,
  namespaces,
  stateOf,
  isRestoring,
  records,
}: {
  readonly namespace: Namespace
  readonly sessions: readonly LiveSession[]
  /** All namespaces of the instance. */
  readonly namespaces: readonly Namespace[]
  stateOf(namespace: Namespace): ConnectionState
  isRestoring(namespace: Namespace, connectorId: string): boolean
  readonly records: Records
}): void {
  if (stateOf(namespace).status === 'reconnecting') return
  const connected = namespaces.filter((other) => (other === namespace ? sessions.length > 0 : isHeld(stateOf(other))))
  const before = records.connectedNamespaces.get() ?? []
  const inOrder = [
    ...before.filter((other) => connected.includes(other)),
    ...connected.filter((other) => !before.includes(other)),
  ]
  if (inOrder.length > 0) records.connectedNamespaces.set(inOrder)
  else records.connectedNamespaces.clear()
  records.status.set(inOrder.length > 0 ? 'connected' : 'disconnected')
  const [first] = sessions
  if (first) records.connectorId(namespace).set(first.session.connector.id)
  else records.connectorId(namespace).clear()
  const earlier = records.connections.get() ?? {}
  const unconfirmed = (earlier[namespace] ?? []).filter(
    ({ connectorId }) =>
      isRestoring(namespace, connectorId) && !sessions.some(({ session }) => session.connector.id === connectorId),
  )
  records.connections.set({ ...earlier, [namespace]: [...sessions.map(toStored), ...unconfirmed] })
}

/** Returns the stored connections of the namespaces that were connected. With `multiWallet`, includes all of their wallets. */
export function readConnections({
  namespaces,
  records,
  networks,
  reconnect,
  multiWallet,
}: {
  readonly namespaces: readonly Namespace[]
  readonly records: Records
  readonly networks: Pick<Networks, 'first'>
  /** Whether the host wants connections to be restored. */
  readonly reconnect: boolean
  readonly multiWallet: boolean
}): readonly StoredNamespace[] {
  const status = records.status.get()
  if (status === 'disconnected') records.clearCaches()
  const all = records.connections.get() ?? {}
  return namespaces.flatMap((namespace) => {
    const connectorId = reconnect && status === 'connected' ? records.connectorId(namespace).get() : undefined
    if (!connectorId) return []
    const stored = all[namespace] ?? []
    const active = stored.find((connection) => connection.connectorId === connectorId)
    const chain = active?.caipNetwork ?? networks.first(namespace)
    const others = multiWallet ? stored.map((connection) => connection.connectorId) : []
    const accounts = active && chain ? active.accounts.map(({ address }) => accountId(chain, address)) : []
    return [{ namespace, connectorId, connectorIds: [...new Set([connectorId, ...others])], chain, accounts }]
  })
}

/** Returns the stored chain of the connector, if the host still supports it. */
export function readChain(
  { namespace, id }: Connector,
  {
    records,
    networks,
  }: { readonly records: Pick<Records, 'connections'>; readonly networks: Pick<Networks, 'supports'> },
): ChainId | undefined {
  const stored = records.connections.get()?.[namespace]?.find(({ connectorId }) => connectorId === id)
  const chain = stored?.caipNetwork
  return chain && networks.supports(chain) ? chain : undefined
}

/** Stores that no wallet is connected, so that the next visit restores none. */
export function clearConnected(namespaces: readonly Namespace[], records: Records): void {
  records.status.set('disconnected')
  records.connectedNamespaces.clear()
  for (const namespace of namespaces) records.connectorId(namespace).clear()
}

function isHeld({ status }: ConnectionState): boolean {
  return status === 'connected' || status === 'reconnecting'
}

function toStored({ session, accounts, chain }: LiveSession): StoredConnection {
  const seen = new Map(accounts.map((account) => [addressOf(account).toLowerCase(), addressOf(account)]))
  return {
    connectorId: session.connector.id,
    accounts: [...seen.values()].map((address) => ({ address })),
    caipNetwork: chain,
  }
}
