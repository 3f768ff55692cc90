import type { Clock, Connector, ConnectorType, Eip1193Provider, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { shownName } from '@latchkey/protocol/displayName'
import { unlessAborted } from './providerCalls.ts'
import type { ProviderProxy } from './providerProxy.ts'
import { hostIcon } from './walletIcon.ts'

/** An EIP-1193 wallet before connecting: its display data and access to its provider. */
export interface EvmWallet {
  /** The connector's `id`. A wallet whose ID is already listed is ignored; letter case does not matter. */
  readonly id: string
  /** The display name. If another wallet has a similar name, both are displayed with their rdns. */
  readonly name: string
  /** How the wallet was found: `ANNOUNCED` by EIP-6963, `INJECTED` in `window.ethereum`, otherwise `EXTERNAL`. */
  readonly type: ConnectorType
  /** A `data:` URL of an image, or of a configured wallet an https URL. */
  readonly icon?: string
  /** The wallet's reverse domain name (EIP-6963). A wallet whose rdns is already listed is ignored. */
  readonly rdns?: string
  /** The wallet's website, used for install links. */
  readonly homepage?: string
  /** Called at each connection. With `silent`, it must not prompt. */
  provider(params: {
    silent: boolean
    chain: ChainId<'eip155'> | undefined
  }): Eip1193Provider | Promise<Eip1193Provider>
  /** Disconnects the wallet. Defaults to revoking its permission (EIP-2255). */
  leave?(): Promise<unknown>
}

/** A source of wallets that can change, for `evm({ wallets })`. */
export interface EvmWallets {
  /** `also` are aliases of the wallet, such as a second rdns. A wallet that is already listed under any of its names is ignored. */
  discover(found: (wallet: EvmWallet, ...also: readonly string[]) => void, signal: AbortSignal): void
}

/** Options of `eip1193`. */
export interface Eip1193Wallet {
  /** The connector's `id`. A wallet whose ID is already listed is ignored; letter case does not matter. */
  readonly id: string
  /** The display name, without invisible characters. If nothing remains, `id` is displayed. */
  readonly name: string
  /** A `data:` URL of an image, or an https URL. */
  readonly icon?: string
  /** The provider, or a function that returns it and is called at each connection. */
  readonly provider: Eip1193Provider | (() => Eip1193Provider | Promise<Eip1193Provider>)
}

/**
 * Wraps any EIP-1193 provider as a wallet of type EXTERNAL.
 *
 * @example
 * evm({ wallets: [eip1193({ id: 'example.wallet', name: 'Example Wallet', provider })] })
 */
export function eip1193({ id, name, icon, provider }: Eip1193Wallet): EvmWallet {
  const shownIcon = hostIcon(icon)
  return {
    id,
    name: shownName(name) ?? id,
    type: 'EXTERNAL',
    ...(shownIcon && { icon: shownIcon }),
    provider: () => (typeof provider === 'function' ? provider() : provider),
  }
}

/** The context shared by all connectors of an adapter. */
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
      // Request the provider while the code loads. Its errors are handled in the session.
      const provider = (async () => wallet.provider({ silent, chain }))()
      provider.catch(() => {})
      const { openSession } = await unlessAborted(import('./evmSession.ts'), signal)
      return openSession({
        connector,
        provider,
        kept: stored,
        clock,
        networkOf,
        leave: wallet.leave?.bind(wallet),
        asked: params,
      })
    },
  }
  return connector
}
