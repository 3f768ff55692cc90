import type { Namespace } from '@latchkey/protocol/caip'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { ConnectorGroup, ExcludedWallet, ListedWallets } from '../latchkeyTypes.ts'
import type { RecentWallet } from '../storage/storageSchema.ts'
import { canBePaired } from './canBePaired.ts'
import { browserWallet, isExcluded } from './connectorGroups.ts'
import type { DirectoryState } from './directoryTypes.ts'
import { discoveredWallets } from './matchDiscoveredWallets.ts'

/** The maximum number of recommended wallets. Each installed or recent wallet reduces it by one. */
const roomForRecommended = 2

/** Returns the wallets to list after the discovered wallets: recent, featured, custom and recommended wallets, without duplicates. */
export function walletsToList(now: {
  readonly shown: readonly ConnectorGroup[]
  /** Whether pairing with remote wallets is available. */
  readonly pairs: boolean
  readonly recent: readonly RecentWallet[]
  readonly custom: readonly Wallet[]
  readonly excluded: readonly ExcludedWallet[]
  readonly namespace: Namespace | undefined
  /** Whether the host configured featured wallets. */
  readonly choosesFeatured: boolean
  /** The directory's lists, if there is a directory. */
  readonly directory: Pick<DirectoryState, 'featured' | 'recommended'> | undefined
}): ListedWallets {
  const { shown, pairs, custom, directory } = now
  const found = discoveredWallets(shown.filter(({ type }) => type !== 'WALLET_CONNECT'))
  const isHere = (wallet: Wallet): boolean => found.of(wallet) !== undefined
  const fits = ({ chains }: Wallet): boolean =>
    !chains || !now.namespace || chains.some((chain) => chain.startsWith(`${now.namespace}:`))

  const recent = now.recent.filter(
    (wallet: Wallet) =>
      pairs && canBePaired(wallet) && fits(wallet) && !isHere(wallet) && !isExcluded(wallet, now.excluded),
  )
  const featured = directory?.featured.value ?? []
  const chosen = unique([...recent, ...featured, ...custom])
    .filter((wallet) => !isHere(wallet))
    .map(found.named)

  const named = shown.filter(
    ({ name, members }) =>
      name !== browserWallet && members.some(({ type }) => type === 'INJECTED' || type === 'ANNOUNCED'),
  )
  const room = Math.max(0, roomForRecommended - named.length - recent.length)
  const recommends = pairs && room > 0 && !now.choosesFeatured && custom.length === 0
  if (!recommends || !directory) return { wallets: chosen, coming: 0 }
  const recommended = directory.recommended.value
  const isOnItsWay = directory.recommended.status === 'idle' || directory.recommended.status === 'loading'
  if (!recommended) return { wallets: chosen, coming: isOnItsWay ? room : 0 }
  const more = recommended.filter((wallet) => !isHere(wallet) && !isExcluded(wallet, now.excluded)).map(found.named)
  return { wallets: unique([...chosen, ...more]).slice(0, chosen.length + room), coming: 0 }
}

function unique(wallets: readonly Wallet[]): readonly Wallet[] {
  return wallets.filter(
    ({ id, rdns }, at) => wallets.findIndex((other) => other.id === id || (rdns && other.rdns === rdns)) === at,
  )
}
