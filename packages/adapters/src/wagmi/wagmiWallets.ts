import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import { isProvider } from '../evm/eip1193Provider.ts'
import type { EvmWallet, EvmWallets } from '../evm/evmConnector.ts'
import { hostIcon } from '../evm/walletIcon.ts'
import type { WagmiConfig, WagmiConnector } from './wagmiTypes.ts'

/** The wagmi connectors that are not listed, because Latchkey has its own equivalents. */
const ours: ReadonlySet<string> = new Set(['latchkey', 'walletConnect', 'safe', 'injected', 'ID_AUTH'])

/**
 * Lists the connectors in a wagmi config as wallets of type `EXTERNAL`. Pass a function if the config is created after Latchkey.
 * Wallets that wagmi discovers through EIP-6963 are skipped, because Latchkey discovers them itself. A connector is also skipped
 * if a wallet with the same rdns is already listed.
 *
 * @example
 * createLatchkey({ adapters: [evm({ chains: [mainnet], wallets: [wagmiWallets(config)] })] })
 */
export function wagmiWallets(config: WagmiConfig | (() => WagmiConfig)): EvmWallets {
  return {
    discover(found, signal) {
      const wagmi = typeof config === 'function' ? config() : config
      const look = () => {
        for (const connector of wagmi.connectors) {
          // wagmi gives announced wallets the type `injected`. Connectors that the host configures have their own type, or the ID
          // `injected`.
          if (ours.has(connector.id) || ours.has(connector.type)) continue
          found(walletOf(connector, wagmi), ...rdnsOf(connector))
        }
      }
      look()
      const stop = wagmi._internal?.connectors?.subscribe?.(look)
      if (stop) signal.addEventListener('abort', stop, { once: true })
    },
  }
}

function walletOf(connector: WagmiConnector, wagmi: WagmiConfig): EvmWallet {
  const { id, name } = connector
  const icon = hostIcon(connector.icon)
  const [rdns] = rdnsOf(connector)
  // If the config includes the Latchkey connector, that connector notifies wagmi.
  const tells = !wagmi.connectors.some(({ type }) => type === 'latchkey')
  return {
    id,
    name: sanitizeName(name) ?? id,
    type: 'EXTERNAL',
    ...(icon !== undefined && { icon }),
    ...(rdns !== undefined && { rdns }),
    async provider({ silent, chain }) {
      if (silent && !(await connector.isAuthorized()))
        throw new LatchkeyError('wallet/not-authorized', { connectorId: id })
      const chainId = wagmi.chains.find((candidate) => chain === `eip155:${candidate.id}`)?.id
      const { accounts, chainId: on } = await connector.connect({
        ...(chainId !== undefined && !silent && { chainId }),
        ...(silent && { isReconnecting: true }),
      })
      const provider = await connector.getProvider()
      if (!isProvider(provider)) throw new LatchkeyError('wallet/not-found', { connectorId: id })
      if (tells) connector.emitter.emit('connect', { accounts: accounts as readonly `0x${string}`[], chainId: on })
      return provider
    },
    async leave() {
      await connector.disconnect()
      // Emit this event even if we did not notify wagmi of the connection, because wagmi might have restored it. If wagmi has no
      // connection, the event has no effect.
      connector.emitter.emit('disconnect')
    },
  }
}

function rdnsOf({ rdns }: WagmiConnector): readonly string[] {
  return typeof rdns === 'string' ? [rdns] : (rdns ?? [])
}
