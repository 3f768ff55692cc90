import type { Namespace } from '@latchkey/protocol/caip'
import type { ConnectorGroup, ConnectorInfo, ExcludedWallet } from '../latchkeyTypes.ts'

/** The name of an injected wallet that does not identify itself. */
export const browserWallet = 'Browser Wallet'

/** Normalizes a wallet name that differs between chains. For example, `Trust Wallet` is called `Trust` on some chains. */
export function normalName(name: string): string {
  return name === 'Trust Wallet' ? 'Trust' : name
}

/** Returns `list` with `found` added. Replaces a connector with the same ID and namespace. */
export function withConnector(list: readonly ConnectorInfo[], found: ConnectorInfo): readonly ConnectorInfo[] {
  // Merged entries are for display only.
  if (found.type === 'MULTI_CHAIN') return list
  const at = list.findIndex(({ id, namespace }) => id === found.id && namespace === found.namespace)
  if (at < 0) return [...list, found]
  return list.map((known, index) => (index === at ? found : known))
}

/**
 * Returns the rows of the connect view. Connectors are filtered by namespace and merged by name. Excluded and hidden connectors
 * are omitted.
 */
export function groupConnectors(now: {
  connectors: readonly ConnectorInfo[]
  filter: Namespace | undefined
  excluded: readonly ExcludedWallet[]
  mobile: boolean
  /**
   * Whether the list of all wallets is available. It replaces the WalletConnect row on a phone, which cannot scan its own screen.
   */
  directory?: boolean
}): readonly ConnectorGroup[] {
  const listed = now.connectors.filter(
    (connector) =>
      connector.name &&
      // Login has its own UI (R9.11) and is not listed as a wallet.
      connector.type !== 'AUTH' &&
      !(connector.type === 'WALLET_CONNECT' && now.mobile && now.directory) &&
      connector.id !== 'coinbaseWalletSDK' &&
      (!now.filter || connector.namespace === now.filter) &&
      !isExcluded(connector, now.excluded),
  )
  // On desktop, hide the unnamed injected wallet if its namespace has a named wallet. Otherwise, it might be the only wallet.
  const named = new Set(listed.filter(isNamed).map(({ namespace }) => namespace))
  return mergeByName(
    listed.filter(({ name, namespace }) => name !== browserWallet || now.mobile || !named.has(namespace)),
  )
}

/** Returns one row per name. A row with connectors in several namespaces has the type MULTI_CHAIN, unless its type is AUTH. */
export function mergeByName(connectors: readonly ConnectorInfo[]): readonly ConnectorGroup[] {
  const groups = new Map<string, ConnectorInfo[]>()
  for (const connector of connectors) {
    const group = groups.get(normalName(connector.name))
    if (!group) groups.set(normalName(connector.name), [connector])
    else if (!group.some(({ namespace }) => namespace === connector.namespace)) group.push(connector)
  }
  return [...groups.values()].map((members) => {
    const [first] = members as [ConnectorInfo, ...ConnectorInfo[]]
    if (members.length === 1) return { ...first, members }
    return { ...first, type: first.type === 'AUTH' ? 'AUTH' : 'MULTI_CHAIN', namespace: 'eip155', members }
  })
}

function isNamed({ name, type }: ConnectorInfo): boolean {
  return name !== browserWallet && (type === 'INJECTED' || type === 'ANNOUNCED')
}

/** Whether the host excludes the wallet. Wallets are compared by rdns or by name, ignoring case. */
export function isExcluded({ name, rdns }: ExcludedWallet, excluded: readonly ExcludedWallet[]): boolean {
  return excluded.some(
    (wallet) => (wallet.rdns && wallet.rdns === rdns) || wallet.name.toLowerCase() === name.toLowerCase(),
  )
}
