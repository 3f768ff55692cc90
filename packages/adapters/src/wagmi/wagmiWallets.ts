import { shownName } from '@latchkey/protocol/displayName'
import { LatchkeyError } from '@latchkey/protocol/errors'
import type { EvmWallet, EvmWallets } from '../evm/evmConnector.ts'
import { isProvider } from '../evm/requestTimeouts.ts'
import { hostIcon } from '../evm/walletIcon.ts'
import type { WagmiConfig, WagmiConnector } from './types.ts'

/** Connectors of wagmi that Latchkey has its own way to: the modal adds them itself, or must not see itself. */
const ours: ReadonlySet<string> = new Set(['latchkey', 'walletConnect', 'safe', 'injected', 'ID_AUTH'])

/**
 * The connectors of the host's own wagmi config as wallets of type EXTERNAL: `evm({ wallets: [wagmiWallets(config)] })`.
 * A function where the config is made after Latchkey. What wagmi found by EIP-6963 is left to Latchkey's own discovery,
 * and a connector whose rdns was announced is not listed twice.
 */
export function wagmiWallets(config: WagmiConfig | (() => WagmiConfig)): EvmWallets {
  return {
    discover(found, signal) {
      const wagmi = typeof config === 'function' ? config() : config
      const look = () => {
        for (const connector of wagmi.connectors) {
          // wagmi gives announced wallets the type `injected`; what a host sets up itself has a type of its own, or `injected` as id.
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
  // With the Latchkey connector in the same config, wagmi hears of the session through that one.
  const tells = !wagmi.connectors.some(({ type }) => type === 'latchkey')
  return {
    id,
    name: shownName(name) ?? id,
    type: 'EXTERNAL',
    ...(icon !== undefined && { icon }),
    ...(rdns !== undefined && { rdns }),
    async provider({ silent, chain }) {
      if (silent && !(await connector.isAuthorized()))
        throw new LatchkeyError('wallet/not-authorized', { connectorId: id })
      const chainId = wagmi.chains.find((each) => chain === `eip155:${each.id}`)?.id
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
      // Also where it did not hear of it from us: it may have restored this one by itself. Otherwise nobody listens.
      connector.emitter.emit('disconnect')
    },
  }
}

function rdnsOf({ rdns }: WagmiConnector): readonly string[] {
  return typeof rdns === 'string' ? [rdns] : (rdns ?? [])
}
