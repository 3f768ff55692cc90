import type { Namespace } from '@latchkey/protocol/caip'
import { connectMethodsWithoutWallet, connectMethodsWithWallet } from '@latchkey/protocol/constants'
import type { ConnectorGroup, ConnectorInfo, ExcludedWallet } from '../latchkey.ts'
import type { ConnectMethod } from '../options.ts'

/** The name of a wallet that was injected without saying who it is. */
export const browserWallet = 'Browser Wallet'

/** One name for one wallet over all chains: `Trust Wallet` calls itself `Trust` on some. */
export function normalName(name: string): string {
  return name === 'Trust Wallet' ? 'Trust' : name
}

/** `list` with `found` in it: the same id, name and namespace is the same connector, which is brought up to date. */
export function withConnector(list: readonly ConnectorInfo[], found: ConnectorInfo): readonly ConnectorInfo[] {
  // A merged entry is for show only.
  if (found.type === 'MULTI_CHAIN') return list
  const at = list.findIndex(({ id, namespace }) => id === found.id && namespace === found.namespace)
  if (at < 0) return [...list, found]
  return list.map((known, index) => (index === at ? found : known))
}

/** The rows of the connect view: limited to the filter, merged by name, without the excluded and the hidden. */
export function groupConnectors(now: {
  connectors: readonly ConnectorInfo[]
  filter: Namespace | undefined
  excluded: readonly ExcludedWallet[]
  mobile: boolean
  /** Whether all wallets can be listed: a phone, which cannot scan itself, goes to their apps from there. */
  directory?: boolean
}): readonly ConnectorGroup[] {
  const listed = now.connectors.filter(
    (connector) =>
      connector.name &&
      // Logging in has ways of its own (R9.11); it is no wallet among others.
      connector.type !== 'AUTH' &&
      !(connector.type === 'WALLET_CONNECT' && now.mobile && now.directory) &&
      connector.id !== 'coinbaseWalletSDK' &&
      (!now.filter || connector.namespace === now.filter) &&
      !isExcluded(connector, now.excluded),
  )
  // What announces itself by name needs no nameless twin; alone, the twin is all the visitor has.
  const named = new Set(listed.filter(isNamed).map(({ namespace }) => namespace))
  return mergeByName(
    listed.filter(({ name, namespace }) => name !== browserWallet || now.mobile || !named.has(namespace)),
  )
}

/** One row per name; a name found on several namespaces becomes MULTI_CHAIN (AUTH stays AUTH). */
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

/** The order in which ways of connecting are offered. */
export function connectMethodsOrder(now: {
  shown: readonly ConnectorGroup[]
  configured: readonly ConnectMethod[] | undefined
  works: Readonly<Record<ConnectMethod, boolean>>
}): readonly ConnectMethod[] {
  const here = now.shown.some(({ members }) => members.some(({ type }) => type === 'INJECTED' || type === 'ANNOUNCED'))
  const order: readonly ConnectMethod[] = here ? connectMethodsWithWallet : connectMethodsWithoutWallet
  return (now.configured ?? order).filter((method) => now.works[method])
}

function isNamed({ name, type }: ConnectorInfo): boolean {
  return name !== browserWallet && (type === 'INJECTED' || type === 'ANNOUNCED')
}

/** Whether the host does not want it listed: by rdns, or by name in any case. */
export function isExcluded({ name, rdns }: ExcludedWallet, excluded: readonly ExcludedWallet[]): boolean {
  return excluded.some(
    (wallet) => (wallet.rdns && wallet.rdns === rdns) || wallet.name.toLowerCase() === name.toLowerCase(),
  )
}
