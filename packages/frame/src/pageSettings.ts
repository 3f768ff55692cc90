import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { chainFromWire, type DappData, type ThemeData, type WireAccountType } from '@latchkey/protocol/frame/messages'

/** The settings that the page has sent or chosen. They are untrusted. */
export interface PageSettings {
  /** Returns the active network in a namespace. */
  chain(namespace: Namespace): ChainId
  /** Returns the network that was used last, in any namespace. */
  lastChain(): ChainId
  setChain(chain: ChainId): void
  accountType(namespace: Namespace): WireAccountType
  setAccountType(namespace: Namespace, type: WireAccountType): void
  theme(): ThemeData
  /** Merges `update` into the theme. Absent values stay unchanged. */
  syncTheme(update: ThemeData): void
  dapp(): DappData | undefined
  syncDapp(update: DappData): void
  subscribe(listener: () => void): () => void
  /** Serializes the page's choices, so that a later frame on the same page can restore them. */
  serialize(): string
  /** Restores choices that an earlier frame on the page serialized. Invalid text is ignored. */
  restore(serialize: string): void
}

/** The namespaces in which a user has accounts after login, and the initial network in each. */
const initialChains = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
} as const

/** Creates the settings and reads their initial values from the frame's URL (`/sdk?chainId=eip155:1`). */
export function createPageSettings(address: URL): PageSettings {
  const listeners = new Set<() => void>()
  const chains = new Map<Namespace, ChainId>(Object.entries(initialChains) as [Namespace, ChainId][])
  const types = new Map<Namespace, WireAccountType>()
  let last: ChainId = initialChains.eip155
  let theme: ThemeData = {}
  let dapp: DappData | undefined

  const setChain = (chain: ChainId): void => {
    chains.set(namespaceOf(chain), chain)
    last = chain
  }
  const changed = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const start = chainFromWire(address.searchParams.get('chainId') ?? '1')
  if (start && isSupportedChain(start)) setChain(start)

  return {
    chain: (namespace) => chains.get(namespace) ?? initialChains.eip155,
    lastChain: () => last,
    setChain,
    accountType: (namespace) => types.get(namespace) ?? 'eoa',
    setAccountType: (namespace, type) => {
      types.set(namespace, type)
    },
    theme: () => theme,
    syncTheme(update) {
      theme = {
        themeMode: update.themeMode ?? theme.themeMode,
        themeVariables: update.themeVariables ?? theme.themeVariables,
        w3mThemeVariables: update.w3mThemeVariables ?? theme.w3mThemeVariables,
      }
      changed()
    },
    dapp: () => dapp,
    syncDapp(update) {
      dapp = update
      changed()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    serialize: () => JSON.stringify([last, ...types].flat()),
    restore(serialize) {
      const [chain, ...pairs] = parseChoices(serialize)
      if (chain && isSupportedChain(chain as ChainId)) setChain(chain as ChainId)
      for (let at = 0; at + 1 < pairs.length; at += 2) {
        const type = pairs[at + 1]
        if (type === 'eoa' || type === 'smartAccount') types.set(pairs[at] as Namespace, type)
      }
    },
  }
}

function parseChoices(text: string): readonly string[] {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? found.map(String) : []
  } catch {
    return []
  }
}

/**
 * Whether the embedded wallet supports `chain`, which must be in canonical form. Screens show the text that the page sent, but
 * signatures include the parsed number, so each number must have exactly one valid form.
 */
export function isSupportedChain(chain: ChainId): chain is ChainId<'eip155' | 'solana'> {
  const namespace = namespaceOf(chain)
  const reference = chain.slice(namespace.length + 1)
  if (namespace === 'eip155') return /^[1-9]\d{0,15}$/.test(reference) && Number.isSafeInteger(Number(reference))
  return namespace === 'solana' && /^[\w-]{1,32}$/.test(reference)
}

/** Returns a chain's CAIP-2 namespace. */
export function namespaceOf(chain: ChainId): Namespace {
  return chain.slice(0, chain.indexOf(':')) as Namespace
}
