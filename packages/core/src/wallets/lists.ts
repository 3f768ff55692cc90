import type { Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/contract'
import type { ConnectorInfo, ExcludedWallet } from '../latchkey.ts'
import type { RecentWallet } from '../storage/storage.ts'
import { browserWallet, normalName } from './shown.ts'

/** A directory wallet as a row: whether it is here, and which connector reaches it. */
export interface WalletRow {
  readonly wallet: Wallet
  /** Announced in this page. */
  readonly installed: boolean
  readonly connector: ConnectorInfo | undefined
}

/** Directory wallets as rows: installed first, the rest in the order given (R3.2). */
export function walletRows(asked: {
  wallets: readonly Wallet[]
  connectors: readonly ConnectorInfo[]
  namespace?: Namespace | undefined
}): readonly WalletRow[] {
  const rows = asked.wallets.map((wallet) => {
    const connector = connectorOf(wallet, asked)
    return { wallet, connector, installed: connector?.type === 'ANNOUNCED' }
  })
  return [...rows.filter(({ installed }) => installed), ...rows.filter(({ installed }) => !installed)]
}

/** The connector that reaches a directory wallet: by explorer id, else by rdns. */
export function connectorOf(
  wallet: Pick<Wallet, 'id' | 'rdns'>,
  now: { connectors: readonly ConnectorInfo[]; namespace?: Namespace | undefined },
): ConnectorInfo | undefined {
  const here = now.connectors.filter(({ namespace }) => !now.namespace || namespace === now.namespace)
  return (
    here.find(({ explorerId }) => explorerId === wallet.id) ??
    here.find(({ rdns }) => rdns !== undefined && knownAs(rdns) === wallet.rdns)
  )
}

/** The rows that the connect view adds to what is here: recent, featured, custom and recommended wallets, none of them twice. */
export function connectLists(now: {
  connectors: readonly ConnectorInfo[]
  recent: readonly RecentWallet[]
  featured: readonly Wallet[]
  custom: readonly Wallet[]
  recommended: readonly Wallet[]
  excluded: readonly ExcludedWallet[]
  namespace: Namespace | undefined
  /** Whether the host configured featured ids. */
  choosesFeatured: boolean
}): {
  readonly recent: readonly RecentWallet[]
  readonly featured: readonly Wallet[]
  readonly custom: readonly Wallet[]
  readonly recommended: readonly Wallet[]
} {
  const { connectors } = now
  const isExcluded = ({ name, rdns }: { name: string; rdns?: string | null | undefined }) =>
    now.excluded.some((each) => (each.rdns && each.rdns === rdns) || each.name.toLowerCase() === name.toLowerCase())
  const recent = now.recent.filter(
    (wallet) =>
      !isExcluded(wallet) &&
      !connectors.some(
        ({ id, rdns, explorerId, name }) => [id, rdns, explorerId].includes(wallet.id) || name === wallet.name,
      ) &&
      (!now.namespace || !wallet.chains || wallet.chains.some((chain) => chain.startsWith(`${now.namespace}:`))),
  )
  const rdnsTaken = new Set([...connectors.map(({ rdns }) => rdns && knownAs(rdns)), ...recent.map(({ rdns }) => rdns)])
  const idsTaken = new Set([...connectors.map(({ explorerId }) => explorerId), ...recent.map(({ id }) => id)])
  const namesTaken = new Set(connectors.map(({ name }) => normalName(name)))
  const isNew = ({ id, rdns, name }: Wallet) =>
    !idsTaken.has(id) && !(rdns ? rdnsTaken.has(rdns) : namesTaken.has(normalName(name)))

  const named = connectors.filter(
    ({ name, type }) =>
      name !== browserWallet && (type === 'INJECTED' || type === 'ANNOUNCED' || type === 'MULTI_CHAIN'),
  )
  const reachable = connectors.some(({ type }) => type === 'WALLET_CONNECT')
  const room = Math.max(0, 2 - (new Set(named.map(({ name }) => normalName(name))).size + recent.length))
  const offersOwn = now.choosesFeatured || now.custom.length > 0
  return {
    recent,
    featured: now.featured.filter((wallet) => isNew(wallet) && !isExcluded(wallet)),
    custom: now.custom.filter(({ rdns }) => !rdns || !rdnsTaken.has(rdns)),
    recommended:
      reachable && !offersOwn
        ? now.recommended.filter((wallet) => isNew(wallet) && !isExcluded(wallet)).slice(0, room)
        : [],
  }
}

/** The number beside "All wallets": exact below ten, then tens with a plus when that lowers it. */
export function walletCountText(count: number): string {
  if (count < 10) return String(count)
  const tens = Math.floor(count / 10) * 10
  return tens < count ? `${tens}+` : String(tens)
}

/** MetaMask's own browser announces itself under a name of its own. */
function knownAs(rdns: string): string {
  return rdns === 'io.metamask.mobile' ? 'io.metamask' : rdns
}
