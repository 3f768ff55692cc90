import type { Clock, Connector, ConnectorType, Eip1193Provider, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import { unlessAborted } from '../shared/responseTimeout.ts'
import type { ProviderProxy } from './providerProxy.ts'
import { hostIcon } from './walletIcon.ts'

/** An EIP-1193 wallet that can be connected, with its display data and a function that returns its provider. */
export interface EvmWallet {
  /** The connector's `id`. A wallet is ignored if its ID, compared case-insensitively, is already listed. */
  readonly id: string
  /** The display name. If two wallets have similar names, their rdns or ID is displayed as well. */
  readonly name: string
  /** How the wallet was found: `ANNOUNCED` through EIP-6963, `INJECTED` as `window.ethereum`, or `EXTERNAL`. */
  readonly type: ConnectorType
  /** The icon, as a `data:` URL. For a configured wallet, it can also be an https URL. */
  readonly icon?: string
  /** The wallet's reverse domain name (EIP-6963). A wallet is ignored if its rdns is already listed. */
  readonly rdns?: string
  /** The wallet's website, used as the install link. */
  readonly homepage?: string
  /** Returns the provider. Called on each connection. Must not prompt the user if `silent` is `true`. */
  provider(params: {
    silent: boolean
    chain: ChainId<'eip155'> | undefined
  }): Eip1193Provider | Promise<Eip1193Provider>
  /** Disconnects the wallet. By default, the page's permission is revoked (EIP-2255). */
  leave?(): Promise<unknown>
}

/** A source of wallets whose list can change, for `evm({ wallets })`. */
export interface EvmWallets {
  /**
   * Reports wallets to `found` until `signal` aborts. `also` contains aliases for the wallet, such as a second rdns. A wallet is
   * ignored if its ID or one of its aliases is already listed.
   */
  discover(found: (wallet: EvmWallet, ...also: readonly string[]) => void, signal: AbortSignal): void
}

/** Options for `eip1193`. */
export interface Eip1193Wallet {
  /** The connector's `id`. A wallet is ignored if its ID, compared case-insensitively, is already listed. */
  readonly id: string
  /** The display name. Invisible characters are removed. If the name is then empty, `id` is displayed. */
  readonly name: string
  /** The icon, as a `data:` or https URL. */
  readonly icon?: string
  /** The provider, or a function that returns the provider and is called on each connection. */
  readonly provider: Eip1193Provider | (() => Eip1193Provider | Promise<Eip1193Provider>)
}

/**
 * Wraps an EIP-1193 provider as a wallet of type `EXTERNAL`.
 *
 * @example
 * evm({ wallets: [eip1193({ id: 'example.wallet', name: 'Example Wallet', provider })] })
 */
export function eip1193({ id, name, icon, provider }: Eip1193Wallet): EvmWallet {
  const shownIcon = hostIcon(icon)
  return {
    id,
    name: sanitizeName(name) ?? id,
    type: 'EXTERNAL',
    ...(shownIcon && { icon: shownIcon }),
    provider: () => (typeof provider === 'function' ? provider() : provider),
  }
}

/** The context that all of an adapter's connectors share. */
export interface PlatformContext {
  readonly clock: Clock
  readonly networkOf: (chain: ChainId<'eip155'>) => Network<'eip155'> | undefined
}

/** Creates a connector for `wallet`. The session code is loaded on the first connection. */
export function connectorOf(wallet: EvmWallet, { clock, networkOf }: PlatformContext): Connector<'eip155'> {
  const { id, name, type, icon, rdns, homepage } = wallet
  const stored: { facade?: ProviderProxy } = {}
  const connector: Connector<'eip155'> = {
    id,
    name,
    type,
    namespace: 'eip155',
    ...(icon !== undefined && { icon }),
    ...(rdns !== undefined && { rdns }),
    ...(homepage !== undefined && { homepage }),
    async connect(params) {
      const { silent = false, chain, signal } = params
      // Request the provider while the session code loads. The session handles errors from the provider.
      const provider = (async () => wallet.provider({ silent, chain }))()
      provider.catch(() => {})
      const { openSession } = await unlessAborted(import('./evmSession.ts'), signal)
      return openSession({
        connector,
        provider,
        stored,
        clock,
        networkOf,
        leave: wallet.leave?.bind(wallet),
        request: params,
      })
    },
  }
  return connector
}
