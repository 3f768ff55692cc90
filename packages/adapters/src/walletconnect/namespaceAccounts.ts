import type { Session } from '@latchkey/core/adapter'
import { accountId, type ChainId, type Namespace, parseAccountId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { grantedChains, type Session as Settled } from '@latchkey/walletconnect'
import { chainOnPage } from './proposedNamespaces.ts'

/** The chains and accounts that a wallet has granted in one namespace. Tracks which of them are active. */
export interface NamespaceAccounts<N extends Namespace> {
  readonly chain: ChainId<N>
  /** The granted chains. */
  readonly chains: readonly ChainId<N>[]
  /** The addresses on the active chain, with the active address first. */
  readonly addresses: readonly string[]
  /** The accounts on the active chain, with the active account first. */
  readonly accounts: Session<N>['accounts']
  /** Makes `chain` the active chain if it is granted. */
  selectChain(chain: string): void
  selectAddress(address: string | undefined): void
  /** Replaces the active chain if the wallet has revoked it. Returns `false` if no granted chain is left. */
  update(): boolean
}

/** Creates the accounts for `namespace`. Throws if the wallet has granted no chains. */
export function createNamespaceAccounts<N extends Namespace>({
  namespace,
  connectorId,
  namespaces,
  preferred,
}: {
  readonly namespace: N
  readonly connectorId: string
  /** Returns the session's namespaces, as last settled or updated. */
  namespaces(): Settled['namespaces']
  /** Returns the preferred initial chains. The first one that is granted becomes active. */
  preferred(): readonly ChainId[]
}): NamespaceAccounts<N> {
  const chains = (): readonly ChainId<N>[] => [
    ...new Set(
      grantedChains(namespaces())
        .map(chainOnPage)
        .filter((id): id is ChainId<N> => id.startsWith(`${namespace}:`)),
    ),
  ]
  const firstChain = (): ChainId<N> | undefined => {
    const granted = chains()
    const isGranted = (id: ChainId): id is ChainId<N> => (granted as readonly string[]).includes(id)
    return preferred().find(isGranted) ?? granted[0]
  }
  const first = firstChain()
  if (!first) throw new LatchkeyError('wallet/not-authorized', { connectorId })
  let chain = first
  /** The address that the wallet has selected. */
  let active: string | undefined

  const addresses = (): readonly string[] => {
    const seen = new Map<string, string>()
    for (const account of Object.values(namespaces()).flatMap(({ accounts }) => accounts)) {
      const parsed = parseAccountId(account)
      if (!parsed || chainOnPage(parsed.chain) !== chain) continue
      const key = parsed.address.toLowerCase()
      if (!seen.has(key)) seen.set(key, parsed.address)
    }
    const all = [...seen.values()]
    const selected = active && seen.get(active.toLowerCase())
    return selected ? [selected, ...all.filter((address) => address !== selected)] : all
  }

  return {
    get chain() {
      return chain
    },
    get chains() {
      return chains()
    },
    get addresses() {
      return addresses()
    },
    get accounts() {
      return addresses().map((address) => accountId(chain, address)) as unknown as Session<N>['accounts']
    },
    selectChain(next) {
      chain = chains().find((granted) => granted === next) ?? chain
    },
    selectAddress(address) {
      active = address
    },
    update() {
      const next = chains().includes(chain) ? chain : firstChain()
      chain = next ?? chain
      return next !== undefined
    },
  }
}
