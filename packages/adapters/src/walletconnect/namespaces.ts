import type { Network } from '@latchkey/core/adapter'
import { type ChainId, type Namespace, namespaceOf, namespaces } from '@latchkey/protocol/caip'
import type { GrantedNamespaces, ProposedNamespaces } from '@latchkey/walletconnect'

/** The methods that a wallet is asked for. It may grant fewer. */
export const methodsOf: Readonly<Record<Namespace, readonly string[]>> = {
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
  bip122: ['sendTransfer', 'signMessage', 'signPsbt', 'getAccountAddresses'],
  polkadot: [],
  cosmos: [],
}

/** What signing in with one question asks for: all but showing the status of calls. */
export const signInMethods: readonly string[] = methodsOf.eip155.filter((method) => method !== 'wallet_showCallsStatus')

const events = ['accountsChanged', 'chainChanged'] as const

/** Solana's networks by the ids that older wallets know them by. */
const olderSolana: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K',
}

/** What a host asks of wallets in place of the usual. */
export interface NamespaceOverrides {
  /** [24 on eip155, 6 on solana, 4 on bip122, none elsewhere] Replaces those of the namespaces that it names. */
  readonly methods?: Readonly<Partial<Record<Namespace, readonly string[]>>>
  /** [the networks of each adapter] Replaces those of the namespaces that it names, also of one without networks. */
  readonly chains?: Readonly<Partial<Record<Namespace, readonly ChainId[]>>>
  /** [`accountsChanged` and `chainChanged`] */
  readonly events?: Readonly<Partial<Record<Namespace, readonly string[]>>>
  /** Where reads go, `{ 'eip155:1': 'https://…' }`. [the first default RPC of each network] Replaces all of a namespace that it names. */
  readonly rpcMap?: Readonly<Record<ChainId, string>>
  /** Where a session begins when the network that counts in the page is not in it. [the first that is] */
  readonly defaultChain?: ChainId
}

/** What is asked for in one namespace, and where its reads go. */
export interface WantedNamespace {
  readonly chains: readonly string[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
  /** By the reference of the chain, `1`. */
  readonly rpcMap: Readonly<Record<string, string>>
  readonly defaultChain?: ChainId
}

/** What a page with these networks asks for, as the host has it. */
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

/** What goes over the wire of it: all of it optional for the wallet. A namespace without chains asks for nothing. */
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

/** The id by which a session knows `chain`: an older wallet may know Solana by its older one only. */
export function chainIn(granted: readonly string[], chain: string): string {
  const older = olderSolana[chain]
  return older !== undefined && !granted.includes(chain) && granted.includes(older) ? older : chain
}

/** The id by which the page knows a chain of a session. */
export function chainOnPage(chain: string): string {
  return Object.entries(olderSolana).find(([, older]) => older === chain)?.[0] ?? chain
}

/** The chains that a wallet has approved: those that it names and those of its accounts, each once. */
export function approvedChains(granted: GrantedNamespaces): readonly string[] {
  const all = Object.entries(granted).flatMap(([name, { chains = [], accounts }]) => [
    ...(name.includes(':') ? [name] : []),
    ...chains,
    ...accounts.map((account) => account.slice(0, account.lastIndexOf(':'))),
  ])
  return [...new Set(all)]
}

/**
 * Whether a session is older than what the page offers now: it shares a chain with the page, and the page has one that the wallet was
 * never asked about.
 */
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
