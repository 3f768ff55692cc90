import { type Adapter, type Clock, type Network, systemClock } from '@latchkey/core/adapter'
import { addressOf, type ChainId, parseAccountId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Chain, Transport } from 'viem'
import { unlessAborted } from '../shared/responseTimeout.ts'
import { createChainClients } from './chainClients.ts'
import { discover } from './discoverWallets.ts'
import { connectorOf, type EvmWallet, type EvmWallets } from './evmConnector.ts'
import { describeNetwork, networkOf } from './networkFromViemChain.ts'

/** Options for `evm`. All of them are optional. */
export interface EvmOptions {
  /** The viem chains. Default: none. The adapter then uses the wallet's current chain and reads data through the wallet. */
  readonly chains?: readonly Chain[]
  /** The viem transports by chain ID. Default: `http()` with the chain's own RPC URL and Latchkey's `fetch` option, if set. */
  readonly transports?: Readonly<Record<number, Transport>>
  /** Additional wallets, created by `eip1193(…)` or `wagmiWallets(config)`. */
  readonly wallets?: readonly (EvmWallet | EvmWallets)[]
  /** Whether to list announced wallets (EIP-6963). Default: `true`. */
  readonly announced?: boolean
  /** Whether to list the legacy `window.ethereum` provider. Default: `true`. */
  readonly injected?: boolean
  /** The clock, which tests can replace. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * Creates the adapter for EVM chains. It connects EIP-1193 wallets on the page, and reads chain data with viem, which is loaded
 * when first needed.
 *
 * @example
 * createLatchkey({ adapters: [evm({ chains: [mainnet, base], transports: { [mainnet.id]: http('https://rpc.example.com') } })] })
 */
export function evm(options: EvmOptions = {}): Adapter<'eip155'> {
  const { chains = [], transports = {}, wallets = [], announced = true, injected = true, clock = systemClock } = options
  const networks = chains.map(networkOf)
  const known = new Map(networks.map((network, at) => [network.caipNetworkId, { network, chain: chains[at] as Chain }]))
  const clients = createChainClients({ known, transports })

  return {
    namespace: 'eip155',
    networks,
    change(params) {
      if ('add' in params) {
        networks.push(params.add)
        // Added networks have the shape of a viem chain, like the initial networks.
        known.set(params.add.caipNetworkId, { network: params.add, chain: params.add as unknown as Chain })
      } else {
        networks.splice(0, networks.length, ...networks.filter(({ caipNetworkId }) => caipNetworkId !== params.remove))
        known.delete(params.remove)
        clients.remove(params.remove)
      }
    },
    describe: (chain) => known.get(chain)?.network ?? describeNetwork(chain),

    discover(found, signal, isOwn) {
      const surroundings = { clock, networkOf: (chain: ChainId<'eip155'>) => known.get(chain)?.network }
      discover({
        wallets,
        announced,
        injected,
        isOwn,
        signal,
        found: (wallet) => found(connectorOf(wallet, surroundings)),
      })
    },

    async balance({ account, network, signal, ...source }) {
      try {
        const from = clients.of(network, source)
        if (!from) throw new LatchkeyError('balance/unavailable')
        const read = async () => (await import('./viem/nativeBalance.ts')).readBalance(await from, addressOf(account))
        const { decimals, symbol } = network.nativeCurrency
        return { value: await unlessAborted(read(), signal), decimals, symbol }
      } catch (error) {
        if (signal.aborted) throw error
        throw new LatchkeyError('balance/unavailable', undefined, { cause: error })
      }
    },

    async transactionStatus({ hash, sent, network, signal, ...source }) {
      const from = clients.of(network, source)
      // Without a client, it is unknown whether the transaction is in a block.
      if (!from) return 'pending'
      const by = sent && { by: addressOf(sent.by), nonce: sent.nonce }
      const read = async () =>
        (await import('./viem/transactionStatus.ts')).readTransactionStatus(await from, { hash, sent: by })
      return unlessAborted(read(), signal)
    },

    async transactionNonce({ hash, account, network, signal, ...source }) {
      const from = clients.of(network, source)
      if (!from) return undefined
      const sender = addressOf(account)
      const read = async () =>
        (await import('./viem/transactionStatus.ts')).readTransactionNonce(await from, { hash, sender })
      return unlessAborted(read(), signal)
    },

    async tokenDecimals({ token, network, signal, ...source }) {
      const from = clients.of(network, source)
      if (!from) return undefined
      const read = async () => (await import('./viem/tokenDecimals.ts')).readTokenDecimals(await from, token)
      return unlessAborted(read(), signal)
    },

    async tokenSymbol({ token, network, signal, ...source }) {
      const from = clients.of(network, source)
      if (!from) return undefined
      const read = async () => (await import('./viem/tokenSymbol.ts')).readTokenSymbol(await from, token)
      return unlessAborted(read(), signal)
    },

    async tokenHolding({ account, token, network, signal, ...source }) {
      const from = clients.of(network, source)
      if (!from) return undefined
      const owner = addressOf(account)
      const read = async () => (await import('./viem/tokenHolding.ts')).readTokenHolding(await from, { token, owner })
      return unlessAborted(read(), signal)
    },

    async identity({ address, network, signal, ...source }) {
      if (network.testnet) return {}
      const from = clients.forNames(network, source)
      if (!from) return {}
      const read = async () => (await import('./viem/ensIdentity.ts')).readIdentity(await from, address)
      return unlessAborted(read(), signal).catch(() => ({}))
    },

    async resolveName({ name, network, signal, ...source }) {
      // A name on a test network can belong to someone other than its owner on the main network.
      if (network.testnet) return undefined
      const from = clients.forNames(network, source)
      if (!from) return undefined
      const read = async () =>
        (await import('./viem/ensAddress.ts')).readEnsAddress(await from, { name, chainId: Number(network.id) })
      return unlessAborted(read(), signal)
    },

    checksumAddress: async (address) =>
      // The input is lowercased, so its own checksum is not verified.
      (await import('./viem/checksum.ts')).getAddress(address.toLowerCase() as `0x${string}`),

    async transferFee({ account, to, amount, token, decimals, network, signal, ...source }) {
      const client = clients.of(network, source)
      if (!client) throw unsupported(network)
      const read = async () =>
        (await import('./viem/transferFee.ts')).readTransferFee(await client, {
          chain: network.caipNetworkId,
          from: addressOf(account),
          to,
          amount,
          token: token && (parseAccountId(token)?.address ?? token),
          decimals,
          isSmartAccount: source.session?.details?.type === 'smartAccount',
        })
      return unlessAborted(read(), signal)
    },

    async isContract({ address, network, signal, ...source }) {
      const client = clients.of(network, source)
      if (!client) throw unsupported(network)
      const read = async () => (await import('./viem/contractCode.ts')).isContract(await client, address)
      return unlessAborted(read(), signal)
    },
  }
}

function unsupported({ caipNetworkId }: Network<'eip155'>): LatchkeyError {
  return new LatchkeyError('network/unsupported', { chain: caipNetworkId })
}
