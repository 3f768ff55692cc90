import { type AccountId, accountId, addressOf, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Connector, Session } from '../adapter.ts'
import type { Connections } from '../connections/connections.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { Pairing } from '../pairing/pairingTypes.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import type { ConnectorRegistry } from '../wallets/connectorRegistry.ts'

/** The methods of an instance that connect and disconnect wallets. */
export interface ConnectionActions extends Pick<Latchkey, 'connect' | 'disconnect'> {
  /** Connects one namespace through the multichain connector with `connectorId`. */
  connectNamespace(
    connectorId: string | undefined,
    params: Omit<Parameters<Connections['connect']>[0], 'connector'> & { readonly namespace: Namespace },
  ): Promise<Session>
}

/** Creates the connection actions. */
export function createConnectionActions({
  connections,
  registry,
  records,
  state,
  pairing,
  disconnecting,
}: {
  readonly connections: Pick<Connections, 'connect' | 'disconnect'>
  readonly registry: Pick<ConnectorRegistry, 'find' | 'some' | 'filter'>
  readonly records: StorageSchema
  readonly state: ReadableStore<State>
  /** Loads support for pairing with remote wallets. Resolves to `undefined` if pairing is not available. */
  pairing(): Promise<Pick<Pairing, 'connect'> | undefined>
  /** Called with the active account of each connection that the user ends, before it ends. */
  disconnecting(account: AccountId): void
}): ConnectionActions {
  const isPaired = ({ id, namespace, type }: Connector): boolean => {
    const now = state.get().connections.byNamespace[namespace]
    return type === 'WALLET_CONNECT' && now?.status === 'connected' && now.connectorId === id
  }
  const isRestoringLogin = ({ id, type, namespace }: Connector): boolean => {
    const now = state.get().connections.byNamespace[namespace]
    return type === 'AUTH' && now?.status === 'reconnecting' && now.connectorId === id
  }
  const forgetLogin = (): void => {
    const { emailUsed, email, lastChain, socialUsername, connectedSocial } = records
    for (const record of [emailUsed, email, lastChain, socialUsername, connectedSocial]) record.clear()
  }

  return {
    async connect({ connectorId, namespace, chain, signal }) {
      const connector = registry.find(connectorId, namespace ?? (chain && namespaceOf(chain)))
      if (!connector) throw new LatchkeyError('wallet/not-found', { connectorId })
      // A single pairing connects every namespace that the wallet approves, not only the requested namespace.
      const remote = connector.type === 'WALLET_CONNECT' ? await pairing() : undefined
      if (remote) return remote.connect({ namespace: connector.namespace, chain, signal })
      return connections.connect({ connector, chain, signal })
    },
    async disconnect(params) {
      for (const [namespace, now] of Object.entries(state.get().connections.byNamespace)) {
        if (now.status !== 'connected' && now.status !== 'reconnecting') continue
        const isOther = (params?.connectorId ?? now.connectorId) !== now.connectorId
        if ((params?.namespace ?? namespace) !== namespace || isOther) continue
        const [account] = now.accounts
        if (account && now.chain) disconnecting(accountId(now.chain, addressOf(account)))
      }
      // During an outage, the session has not been restored yet and cannot be ended. Remove the stored login anyway.
      const isSelected = ({ id, namespace }: Connector): boolean =>
        (params?.namespace ?? namespace) === namespace && (params?.connectorId ?? id) === id
      if (registry.some((connector) => isRestoringLogin(connector) && isSelected(connector))) forgetLogin()
      try {
        await connections.disconnect(params)
      } finally {
        if (!registry.some(isPaired)) records.deepLink.clear()
        registry.filter(undefined)
      }
    },
    async connectNamespace(connectorId, { namespace, ...params }) {
      const connector = connectorId === undefined ? undefined : registry.find(connectorId, namespace)
      if (!connector) throw new LatchkeyError('wallet/not-found', { connectorId: connectorId ?? '' })
      return connections.connect({ connector, ...params })
    },
  }
}
