import type { Network } from '@latchkey/core/adapter'
import { type ChainId, type Namespace, namespaceOf, namespaces } from '@latchkey/protocol/caip'
import type { GrantedNamespaces, ProposedNamespaces } from '@latchkey/walletconnect'

/** The methods that are requested by default in each namespace. The wallet can grant fewer methods. */
export const methodsOf: Readonly<Record<Namespace, readonly string[]>> = {
  // #region generated: families (npm run generate)
  eip155: [
    'eth_accounts',
    'eth_requestAccounts',
    'eth_sendRawTransaction',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData',
    'eth_signTypedData_v3',
    'eth_signTypedData_v4',
    'eth_sendTransaction',
    'personal_sign',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_getPermissions',
    'wallet_requestPermissions',
    'wallet_registerOnboarding',
    'wallet_watchAsset',
    'wallet_scanQRCode',
    'wallet_getCallsStatus',
    'wallet_showCallsStatus',
    'wallet_sendCalls',
    'wallet_getCapabilities',
    'wallet_grantPermissions',
    'wallet_revokePermissions',
    'wallet_getAssets',
  ],
  solana: [
    'solana_signMessage',
    'solana_signTransaction',
    'solana_requestAccounts',
    'solana_getAccounts',
    'solana_signAllTransactions',
    'solana_signAndSendTransaction',
  ],
  polkadot: [],
  bip122: ['sendTransfer', 'signMessage', 'signPsbt', 'getAccountAddresses'],
  cosmos: [],
  // #endregion
}

/** The methods requested with a sign-in, which are all EVM methods except `wallet_showCallsStatus`. */
export const signInMethods: readonly string[] = methodsOf.eip155.filter((method) => method !== 'wallet_showCallsStatus')

const events = ['accountsChanged', 'chainChanged'] as const

/** The IDs that older wallets use for Solana's networks. */
const olderSolana: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K',
}

/** Overrides for the requested namespaces. */
export interface NamespaceOverrides {
  /**
   * The methods by namespace. They replace the namespace's defaults, which are 24 methods for eip155, 6 for solana, 4 for bip122
   * and none for other namespaces.
   */
  readonly methods?: Readonly<Partial<Record<Namespace, readonly string[]>>>
  /**
   * The chains by namespace. They replace the namespace's default chains, which are the adapter's networks. Namespaces without
   * networks can also be specified.
   */
  readonly chains?: Readonly<Partial<Record<Namespace, readonly ChainId[]>>>
  /** The events by namespace. Default: `accountsChanged` and `chainChanged`. */
  readonly events?: Readonly<Partial<Record<Namespace, readonly string[]>>>
  /**
   * The RPC URLs for reads, keyed by chain, such as `{ 'eip155:1': 'https://…' }`. A URL replaces all default URLs in its
   * namespace. Default: the first default RPC URL of each network.
   */
  readonly rpcMap?: Readonly<Record<ChainId, string>>
  /** The initial chain for a session that does not include the page's active network. Default: the first granted chain. */
  readonly defaultChain?: ChainId
}

/** The chains, methods and events to request in a namespace, and the RPC URLs for reads. */
export interface WantedNamespace {
  readonly chains: readonly string[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
  /** The RPC URLs by chain reference, such as `1`. */
  readonly rpcMap: Readonly<Record<string, string>>
  readonly defaultChain?: ChainId
}

/** Returns the namespaces to request for the page's networks, with the host's overrides applied. */
export function wantedNamespaces(
  networks: readonly Pick<Network, 'caipNetworkId' | 'rpcUrls'>[],
  overrides: NamespaceOverrides = {},
): Readonly<Partial<Record<Namespace, WantedNamespace>>> {
  const { defaultChain } = overrides
  const wanted: Partial<Record<Namespace, WantedNamespace>> = {}
  for (const namespace of namespaces) {
    const own = networks.filter(({ caipNetworkId }) => namespaceOf(caipNetworkId) === namespace)
    const overridden = (['methods', 'chains', 'events'] as const).some((part) => overrides[part]?.[namespace])
    const rpcs = Object.entries(overrides.rpcMap ?? {}).filter(([id]) => id.startsWith(`${namespace}:`))
    if (own.length === 0 && !overridden && rpcs.length === 0) continue
    const usual = own.map(({ caipNetworkId, rpcUrls }) => [caipNetworkId, rpcUrls.default?.http[0]] as const)
    const named = rpcs.length > 0 ? rpcs : usual.flatMap(([id, url]) => (url ? [[id, url] as const] : []))
    wanted[namespace] = {
      chains: overrides.chains?.[namespace] ?? withOlder(usual.map(([id]) => id)),
      methods: overrides.methods?.[namespace] ?? methodsOf[namespace],
      events: overrides.events?.[namespace] ?? events,
      rpcMap: Object.fromEntries(named.map(([id, url]) => [id.slice(namespace.length + 1), url])),
      ...(defaultChain && namespaceOf(defaultChain) === namespace && { defaultChain }),
    }
  }
  return wanted
}

/** Returns the namespaces in the format of a proposal. Namespaces without chains are omitted. */
export function proposalFor(wanted: ReturnType<typeof wantedNamespaces>): ProposedNamespaces {
  return Object.fromEntries(
    Object.entries(wanted)
      .filter(([, { chains }]) => chains.length > 0)
      .map(([namespace, { chains, methods, events }]) => [namespace, { chains, methods, events }]),
  )
}

function withOlder(chains: readonly string[]): readonly string[] {
  return [...new Set(chains.flatMap((chain) => [chain, ...(olderSolana[chain] ? [olderSolana[chain]] : [])]))]
}

/** Returns the chain ID that a session uses for `chain`. Older wallets use older IDs for Solana. */
export function chainIn(granted: readonly string[], chain: string): string {
  const older = olderSolana[chain]
  return older !== undefined && !granted.includes(chain) && granted.includes(older) ? older : chain
}

/** Returns the chain ID that the page uses for a session's chain. */
export function chainOnPage(chain: string): string {
  return Object.entries(olderSolana).find(([, older]) => older === chain)?.[0] ?? chain
}

/** Returns the chains that a wallet has approved, either in a namespace or for an account, without duplicates. */
export function approvedChains(granted: GrantedNamespaces): readonly string[] {
  const all = Object.entries(granted).flatMap(([name, { chains = [], accounts }]) => [
    ...(name.includes(':') ? [name] : []),
    ...chains,
    ...accounts.map((account) => account.slice(0, account.lastIndexOf(':'))),
  ])
  return [...new Set(all)]
}

/** Whether a session is outdated: it includes some of the page's chains, but not all of them were requested. */
export function isStale({
  approved,
  requested,
  configured,
}: {
  readonly approved: readonly string[]
  readonly requested: readonly string[]
  readonly configured: readonly string[]
}): boolean {
  return configured.some((id) => approved.includes(id)) && configured.some((id) => !requested.includes(id))
}
