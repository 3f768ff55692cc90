import type { Eip1193Provider } from '@latchkey/core/adapter'
import { coinbaseConnectorIds, connectorIds } from '@latchkey/protocol/constants'
import { confusableKey, isConfusable } from '@latchkey/protocol/displayName'
import { requestProviders } from 'mipd'
import { type Announcement, readAnnouncement } from './eip6963Announcement.ts'
import type { EvmWallet, EvmWallets } from './evmConnector.ts'
import { isProvider } from './requestTimeouts.ts'
import { inSafeFrame } from './safeFrame.ts'

/** What Coinbase Wallet and the Base app announce themselves as. */
const coinbaseRdns = 'com.coinbase.wallet'

/** The id that is written for Coinbase and Base, and the other published one that is read as the same. */
const [coinbaseId, otherCoinbaseId] = coinbaseConnectorIds

/** The ids of our own connectors are ours to give, never an announcement's to take. */
const reserved: ReadonlySet<string> = new Set([...connectorIds, 'AUTH'].map((id) => id.toLowerCase()))

/** More wallets than any browser has: what comes after them is a flood. */
const announcedMost = 100

/** Where `discover` looks. */
export interface DiscoverOptions {
  readonly wallets: readonly (EvmWallet | EvmWallets)[]
  readonly announced: boolean
  readonly injected: boolean
  /** Providers that are no wallets here: Latchkey announces them itself. */
  readonly isOwn?: ((provider: unknown) => boolean) | undefined
  readonly found: (wallet: EvmWallet) => void
  readonly signal: AbortSignal
}

/**
 * Reports the wallets of this page until `signal` aborts: the host's own first, then announced ones, Coinbase, the
 * legacy `window.ethereum`, and Safe when inside its frame.
 *
 * An rdns, a uuid and an id belong to whoever comes first; a second claim is dropped, for the page cannot tell which of
 * the two is genuine, and an extension that is able to be first is also able to do worse. A name that looks like one that
 * is there already is shown with its rdns, and so is the other one from then on.
 */
export function discover({ wallets, announced, injected, isOwn, found, signal }: DiscoverOptions): void {
  const taken = new Set<string>()
  const looks = new Map<string, EvmWallet>()
  const until = (stop: (() => void) | undefined) => {
    if (stop) signal.addEventListener('abort', stop, { once: true })
  }

  /** Whether it was listed: not when it is there already. */
  const report = (seen: EvmWallet, ...also: readonly (string | undefined)[]): boolean => {
    if (signal.aborted) return false
    const wallet = seen.id === otherCoinbaseId ? { ...seen, id: coinbaseId } : seen
    const claims = [wallet.id, wallet.rdns, ...also]
      .filter((claim) => claim !== undefined)
      .map((claim) => claim.toLowerCase())
    if (claims.some((claim) => taken.has(claim))) return false
    for (const claim of claims) taken.add(claim)
    const look = confusableKey(wallet.name)
    const other = looks.get(look)
    if (!other) looks.set(look, wallet)
    else if (other.rdns || other.type === 'ANNOUNCED') found({ ...other, name: told(other) })
    const isTold = other || (wallet.type === 'ANNOUNCED' && isConfusable(wallet.name, wallet.rdns))
    found(isTold ? { ...wallet, name: told(wallet) } : wallet)
    return true
  }

  // 1 What the host brings.
  for (const wallet of wallets) if (!('discover' in wallet)) report(wallet)

  // 2 Who announces itself, now or later. mipd listens before it asks, as EIP-6963 wants.
  if (announced && typeof window !== 'undefined') {
    let room = announcedMost
    until(
      requestProviders((detail: unknown) => {
        const announcement = room > 0 ? readAnnouncement(detail) : undefined
        // Known by what it is: an rdns that another wallet has, too, hides neither of them, and ours takes none here.
        const wallet = announcement && !isOwn?.(announcement.provider) && walletOf(announcement)
        // A uuid is a claim among uuids only: "injected" as one takes nobody's id.
        if (wallet && report(wallet, announcement.uuid && `uuid ${announcement.uuid}`)) room--
      }),
    )
  }

  // 3 Sources of the host that know their wallets only now, e.g. those of a wagmi config.
  for (const wallet of wallets) if ('discover' in wallet) wallet.discover(report, signal)

  if (typeof window === 'undefined') return

  // 4 Who only put itself into the window, perhaps later.
  const look = () => {
    const coinbase = coinbaseProvider()
    if (coinbase) {
      report({ id: coinbaseId, name: 'Coinbase', type: 'EXTERNAL', rdns: coinbaseRdns, provider: () => coinbase })
    }
    if (injected && legacyProvider()) {
      report({ id: 'injected', name: 'Browser Wallet', type: 'INJECTED', provider: presentProvider })
    }
  }
  look()
  window.addEventListener('ethereum#initialized', look)
  until(() => window.removeEventListener('ethereum#initialized', look))

  // 5 Safe, when this page is shown inside it.
  if (inSafeFrame(window)) {
    report({
      id: 'safe',
      name: 'Safe',
      type: 'EXTERNAL',
      provider: () => import('./safe.ts').then(({ safeProvider }) => safeProvider(window)),
      leave: async () => {},
    })
  }
}

/** An announcement as a wallet: its id is the rdns, else the name, else the uuid. */
function walletOf({ uuid, rdns, name, icon, provider }: Announcement): EvmWallet | undefined {
  const id =
    rdns === coinbaseRdns ? coinbaseId : [rdns, name, uuid].find((each) => each && !reserved.has(each.toLowerCase()))
  if (!id) return undefined
  return {
    id,
    name: name ?? rdns ?? 'Wallet',
    type: 'ANNOUNCED',
    ...(icon !== undefined && { icon }),
    ...(rdns !== undefined && { rdns }),
    provider: () => provider,
  }
}

/** The name with what tells it from a look-alike; one that says nothing about itself is told by that. */
function told({ name, rdns, id }: EvmWallet): string {
  return `${name} (${rdns ?? (id === name ? '?' : id)})`
}

/** The provider at `window.ethereum`; of several behind it the first that is not Coinbase's, which has its own row. */
function legacyProvider(): Eip1193Provider | undefined {
  const ethereum = fromWindow('ethereum')
  const several = providersOf(ethereum)
  return several.find((provider) => !isCoinbase(provider)) ?? (isProvider(ethereum) ? ethereum : undefined)
}

/** Read anew at each connecting: another extension may have taken the place since. */
function presentProvider(): Eip1193Provider {
  const provider = legacyProvider()
  if (!provider) throw new Error('window.ethereum is gone.')
  return provider
}

function coinbaseProvider(): Eip1193Provider | undefined {
  const ethereum = fromWindow('ethereum')
  return [fromWindow('coinbaseWalletExtension'), ...providersOf(ethereum), ethereum].find(
    (each, at): each is Eip1193Provider => isProvider(each) && (at === 0 || isCoinbase(each)),
  )
}

function providersOf(ethereum: unknown): readonly Eip1193Provider[] {
  const several = property(ethereum, 'providers')
  return Array.isArray(several) ? several.slice(0, 20).filter(isProvider) : []
}

function isCoinbase(provider: unknown): boolean {
  return property(provider, 'isCoinbaseWallet') === true || property(provider, 'isCoinbaseBrowser') === true
}

function fromWindow(name: string): unknown {
  return property(window, name)
}

/** What stands in the window is foreign, and may throw when read. */
function property(from: unknown, name: string): unknown {
  try {
    return (from as Record<string, unknown> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}
