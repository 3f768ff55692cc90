import type { Clock, Connector, ConnectorType, Eip1193Provider, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { shownName } from '@latchkey/protocol/displayName'
import type { ProviderProxy } from './providerProxy.ts'
import { unlessAborted } from './requestTimeouts.ts'
import { hostIcon } from './walletIcon.ts'

/** An EIP-1193 wallet before anybody connects: what to show, and how to get at its provider. */
export interface EvmWallet {
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  readonly icon?: string
  readonly rdns?: string
  readonly homepage?: string
  /** Called at each connecting; `silent` must not prompt. */
  provider(params: {
    silent: boolean
    chain: ChainId<'eip155'> | undefined
  }): Eip1193Provider | Promise<Eip1193Provider>
  /** How it is left, where that is not by giving back the permission of EIP-2255. */
  leave?(): Promise<unknown>
}

/** Wallets that come and go: a source for `evm({ wallets })`. */
export interface EvmWallets {
  /** `also` are other names of the same wallet (a second rdns): one that is there already is not listed again. */
  discover(found: (wallet: EvmWallet, ...also: readonly string[]) => void, signal: AbortSignal): void
}

/** What an EIP-1193 provider of your own is called. */
export interface Eip1193Wallet {
  readonly id: string
  readonly name: string
  /** A data: URL of an image, or https. */
  readonly icon?: string
  readonly provider: Eip1193Provider | (() => Eip1193Provider | Promise<Eip1193Provider>)
}

/** Any other EIP-1193 provider as a wallet of type EXTERNAL: `evm({ wallets: [eip1193({ id, name, provider })] })`. */
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

/** What all connectors of one adapter share. */
export interface PlatformContext {
  readonly clock: Clock
  readonly networkOf: (chain: ChainId<'eip155'>) => Network<'eip155'> | undefined
}

/** `wallet` as a connector. What connecting takes is loaded when somebody connects. */
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
      // The wallet is reached for while the rest loads; its failures are the session's to tell.
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
