import {
  type GrantedNamespaces,
  type Proposal,
  type ProposedNamespaces,
  type Reason,
  reasons,
} from '@latchkey/walletconnect'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import { type Family, supportedMethods } from './supportedMethods.ts'

/** The namespaces that an approval would grant, or the reason why the proposal cannot be approved. */
export type Grant =
  | {
      readonly granted: GrantedNamespaces
      readonly networks: readonly Network[]
      readonly methods: readonly string[]
      /** The requested chains and methods that this wallet does not support. */
      readonly without: { readonly chains: readonly string[]; readonly methods: readonly string[] }
    }
  | { readonly refused: Reason; readonly because: string }

/**
 * Returns the requested namespaces that this wallet supports, or a refusal if the wallet lacks a required chain, method or event
 * or supports none of the requested chains.
 */
export function grantNamespaces(
  { requiredNamespaces, optionalNamespaces }: Pick<Proposal, 'requiredNamespaces' | 'optionalNamespaces'>,
  { account, networks, first }: { account: Account; networks: readonly Network[]; first?: string | undefined },
): Grant {
  const refused = findUnsupported(requiredNamespaces, networks)
  if (refused) return refused
  const requested = mergeByFamily([requiredNamespaces, optionalNamespaces])
  const granted: Record<string, GrantedNamespaces[string]> = {}
  for (const family of families) {
    const request = requested.get(family)
    if (!request) continue
    const own = networks.filter(({ id }) => request.chains.has(id)).sort((a, b) => rank(a, first) - rank(b, first))
    const methods = supportedMethods[family].methods.filter((method) => request.methods.has(method))
    if (own.length === 0) continue
    granted[family] = {
      chains: own.map(({ id }) => id),
      methods,
      events: supportedMethods[family].events.filter((event) => request.events.has(event)),
      accounts: accountsOn(
        account,
        own.map(({ id }) => id),
      ),
    }
  }
  const all = [...requested.values()]
  const chains = all.flatMap((entry) => [...entry.chains])
  if (Object.keys(granted).length === 0)
    return {
      refused: reasons.unsupportedChains,
      because: sentenceAbout({ chains, networks }),
    }
  const has = new Set(Object.values(granted).flatMap((entry) => entry.methods))
  return {
    granted,
    networks: networks.filter(({ id }) => Object.values(granted).some((entry) => entry.chains?.includes(id))),
    methods: [...has],
    without: {
      chains: chains.filter((chain) => !networks.some(({ id }) => id === chain)),
      methods: [...new Set(all.flatMap((entry) => [...entry.methods]))].filter((method) => !has.has(method)),
    },
  }
}

/** Returns the CAIP-10 account IDs of `account` on `chains`. */
export function accountsOn(account: Account, chains: readonly string[]): readonly string[] {
  return chains.map((chain) => `${chain}:${addressOn(account, chain)}`)
}

/** Returns the address of `account` on a chain. */
export function addressOn({ evm, solana }: Account, chain: string): string {
  return chain.startsWith('eip155:') ? evm.address : solana.address
}

const families = ['eip155', 'solana'] as const

interface RequestedNamespace {
  readonly chains: ReadonlySet<string>
  readonly methods: ReadonlySet<string>
  readonly events: ReadonlySet<string>
}

/** Merges namespaces by chain family. A namespace's key is either a chain family or a full CAIP-2 chain ID. */
function mergeByFamily(all: readonly ProposedNamespaces[]): Map<string, RequestedNamespace> {
  const found = new Map<string, { chains: Set<string>; methods: Set<string>; events: Set<string> }>()
  for (const [name, { chains, methods, events }] of all.flatMap((entry) => Object.entries(entry))) {
    const family = name.split(':')[0] as string
    const so = found.get(family) ?? { chains: new Set(), methods: new Set(), events: new Set() }
    found.set(family, so)
    for (const chain of name.includes(':') ? [name] : (chains ?? [])) so.chains.add(chain)
    for (const method of methods) so.methods.add(method)
    for (const event of events) so.events.add(event)
  }
  return found
}

/** Returns a refusal if this wallet lacks a required chain family, chain, method or event, otherwise `undefined`. */
function findUnsupported(required: ProposedNamespaces, networks: readonly Network[]): Grant | undefined {
  for (const [family, { chains, methods, events }] of mergeByFamily([required])) {
    const can = families.some((entry) => entry === family) ? supportedMethods[family as Family] : undefined
    if (!can)
      return {
        refused: reasons.unsupportedNamespace,
        because: `The page requires ${family}, which this wallet does not support.`,
      }
    const chain = [...chains].find((id) => !networks.some((network) => network.id === id))
    if (chain)
      return {
        refused: reasons.unsupportedChains,
        because: `The page requires ${chain}, which is not configured here.`,
      }
    const method = [...methods].find((entry) => !can.methods.includes(entry))
    if (method)
      return {
        refused: reasons.unsupportedMethods,
        because: `The page requires ${method}, which this wallet does not support.`,
      }
    const event = [...events].find((entry) => !can.events.includes(entry))
    if (event)
      return {
        refused: reasons.unsupportedMethods,
        because: `The page requires ${event}, which this wallet does not support.`,
      }
  }
  return undefined
}

/** Explains why the wallet supports none of the requested chains. */
function sentenceAbout({ chains, networks }: { chains: readonly string[]; networks: readonly Network[] }): string {
  if (chains.length === 0) return 'The page did not request any networks.'
  const supported = networks.length === 0 ? 'no networks' : listed(networks.map(({ name }) => name))
  return `The page uses ${listed(chains)}, but this wallet supports ${supported}.`
}

function rank({ id }: Network, first: string | undefined): number {
  return id === first ? 0 : 1
}

function listed(words: readonly string[]): string {
  return words.slice(0, 4).join(', ') + (words.length > 4 ? ' and others' : '')
}
