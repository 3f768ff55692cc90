import type { Eip1193Provider } from '@latchkey/core/adapter'
import { coinbaseConnectorIds, connectorIds } from '@latchkey/protocol/specificationConstants'
import { confusableKey, isConfusable } from '@latchkey/protocol/untrustedNames'
import { requestProviders } from 'mipd'
import { isProvider } from './eip1193Provider.ts'
import { type Announcement, readAnnouncement } from './eip6963Announcement.ts'
import type { EvmWallet, EvmWallets } from './evmConnector.ts'
import { isInsideSafeApp } from './isInsideSafeApp.ts'

/** The rdns of Coinbase Wallet and the Base app. */
const coinbaseRdns = 'com.coinbase.wallet'

/** The ID for Coinbase Wallet and the Base app, and a second published ID that is treated as its alias. */
const [coinbaseId, otherCoinbaseId] = coinbaseConnectorIds

/** The IDs of our own connectors, which announced wallets cannot claim. */
const reserved: ReadonlySet<string> = new Set([...connectorIds, 'AUTH'].map((id) => id.toLowerCase()))

/** The maximum number of announced wallets, so that a script cannot flood the list. */
const maxAnnounced = 100

/** Options for `discover`. */
export interface DiscoverOptions {
  readonly wallets: readonly (EvmWallet | EvmWallets)[]
  readonly announced: boolean
  readonly injected: boolean
  /** Whether a provider is one that Latchkey itself announces. These providers are not listed. */
  readonly isOwn?: ((provider: unknown) => boolean) | undefined
  readonly found: (wallet: EvmWallet) => void
  readonly signal: AbortSignal
}

/**
 * Reports the wallets on this page until `signal` aborts: configured wallets first, then announced wallets, wallets from sources
 * such as a wagmi config, Coinbase, the legacy `window.ethereum`, and Safe if the page runs inside the Safe app.
 *
 * The first wallet to claim an rdns, uuid or ID keeps it. Later claims are dropped, because the page cannot tell which one is
 * genuine. A malicious extension could announce itself first, but such an extension can do worse anyway. If a name looks like
 * another wallet's name, the wallets are shown with their rdns or ID to tell them apart.
 */
export function discover({ wallets, announced, injected, isOwn, found, signal }: DiscoverOptions): void {
  const taken = new Set<string>()
  const looks = new Map<string, EvmWallet>()
  const until = (stop: (() => void) | undefined) => {
    if (stop) signal.addEventListener('abort', stop, { once: true })
  }

  /** Reports a wallet. Returns `false` if the wallet has already been reported. */
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
    else if (other.rdns || other.type === 'ANNOUNCED') found({ ...other, name: describeWallet(other) })
    const isDescribed = other || (wallet.type === 'ANNOUNCED' && isConfusable(wallet.name, wallet.rdns))
    found(isDescribed ? { ...wallet, name: describeWallet(wallet) } : wallet)
    return true
  }

  // 1 Configured wallets.
  for (const wallet of wallets) if (!('discover' in wallet)) report(wallet)

  // 2 Announced wallets. As EIP-6963 requires, mipd starts listening before it requests announcements.
  if (announced && typeof window !== 'undefined') {
    let room = maxAnnounced
    until(
      requestProviders((detail: unknown) => {
        const announcement = room > 0 ? readAnnouncement(detail) : undefined
        // Our own providers are recognized by object identity, so another wallet with the same rdns is still listed.
        const wallet = announcement && !isOwn?.(announcement.provider) && walletOf(announcement)
        // A uuid conflicts only with other uuids. For example, the uuid "injected" does not claim the ID "injected".
        if (wallet && report(wallet, announcement.uuid && `uuid ${announcement.uuid}`)) room--
      }),
    )
  }

  // 3 Wallet sources that discover wallets themselves, such as a wagmi config.
  for (const wallet of wallets) if ('discover' in wallet) wallet.discover(report, signal)

  if (typeof window === 'undefined') return

  // 4 Wallets injected into `window`, now or later.
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

  // 5 Safe, if this page runs inside it.
  if (isInsideSafeApp(window)) {
    report({
      id: 'safe',
      name: 'Safe',
      type: 'EXTERNAL',
      provider: () => import('./safeProvider.ts').then(({ safeProvider }) => safeProvider(window)),
      leave: async () => {},
    })
  }
}

/** Converts an announcement to a wallet, identified by its rdns, name or uuid, in this order of preference. */
function walletOf({ uuid, rdns, name, icon, provider }: Announcement): EvmWallet | undefined {
  const id =
    rdns === coinbaseRdns
      ? coinbaseId
      : [rdns, name, uuid].find((candidate) => candidate && !reserved.has(candidate.toLowerCase()))
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

/** Returns the wallet's name followed by its rdns or ID to distinguish it from similar names, or by "?" if neither helps. */
function describeWallet({ name, rdns, id }: EvmWallet): string {
  return `${name} (${rdns ?? (id === name ? '?' : id)})`
}

/** Returns the provider at `window.ethereum`. If there are several providers, skips Coinbase, which is listed separately. */
function legacyProvider(): Eip1193Provider | undefined {
  const ethereum = fromWindow('ethereum')
  const several = providersOf(ethereum)
  return several.find((provider) => !isCoinbase(provider)) ?? (isProvider(ethereum) ? ethereum : undefined)
}

/** Reads `window.ethereum` again for each connection, because another extension might have replaced it. */
function presentProvider(): Eip1193Provider {
  const provider = legacyProvider()
  if (!provider) throw new Error('No window.ethereum.')
  return provider
}

function coinbaseProvider(): Eip1193Provider | undefined {
  const ethereum = fromWindow('ethereum')
  return [fromWindow('coinbaseWalletExtension'), ...providersOf(ethereum), ethereum].find(
    (provider, at): provider is Eip1193Provider => isProvider(provider) && (at === 0 || isCoinbase(provider)),
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

/** Reads a property of an untrusted object, whose getters can throw. */
function property(from: unknown, name: string): unknown {
  try {
    return (from as Record<string, unknown> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}
