import { type Adapter, type Clock, type Network, type Session, systemClock } from '@latchkey/core/adapter'
import { addressOf, type ChainId, parseAccountId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Chain, Client, Transport } from 'viem'
import { discover } from './discoverWallets.ts'
import { connectorOf, type EvmWallet, type EvmWallets } from './evmConnector.ts'
import type { EvmSession } from './evmSession.ts'
import { describeNetwork, networkOf } from './networkFromViemChain.ts'
import { unlessAborted } from './providerCalls.ts'
import type { ReadFrom } from './viem/nativeBalance.ts'

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
  const readers = new Map<
    ChainId<'eip155'>,
    { readonly by: typeof fetch | undefined; readonly made: Promise<Client> }
  >()

  /** Returns the client for a configured chain. Clients are cached, because a transport can keep a socket open. */
  const ownReader = (id: ChainId<'eip155'>, by: typeof fetch | undefined) => {
    const chain = known.get(id)?.chain
    if (!chain) return undefined
    const before = readers.get(id)
    if (before?.by === by && before) return before.made
    const made = reader({ chain, transport: transports[chain.id], fetch: by })
    readers.set(id, { by, made })
    // Allow another attempt if the chunk could not be loaded.
    made.catch(() => readers.delete(id))
    return made
  }

  /** Returns the client for a network, or one that reads through the wallet. */
  const clientFor = (
    network: Network<'eip155'>,
    { session, fetch }: { readonly session?: Session<'eip155'>; readonly fetch?: typeof globalThis.fetch },
  ) => {
    const client = ownReader(network.caipNetworkId, fetch) ?? sessionReader(session as EvmSession | undefined, network)
    if (!client) throw new LatchkeyError('network/unsupported', { chain: network.caipNetworkId })
    return client
  }

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
        readers.delete(params.remove)
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

    async balance({ account, network, session, fetch, signal }) {
      try {
        const from =
          ownReader(network.caipNetworkId, fetch) ?? sessionReader(session as EvmSession | undefined, network)
        if (!from) throw new LatchkeyError('balance/unavailable')
        const read = async () => (await import('./viem/nativeBalance.ts')).readBalance(await from, addressOf(account))
        const { decimals, symbol } = network.nativeCurrency
        return { value: await unlessAborted(read(), signal), decimals, symbol }
      } catch (error) {
        if (signal.aborted) throw error
        throw new LatchkeyError('balance/unavailable', undefined, { cause: error })
      }
    },

    async transactionStatus({ hash, sent, network, session, fetch, signal }) {
      const from = ownReader(network.caipNetworkId, fetch) ?? sessionReader(session as EvmSession | undefined, network)
      // Nothing can be read, so it is not known whether the transaction is in a block.
      if (!from) return 'pending'
      const by = sent && { by: addressOf(sent.by), nonce: sent.nonce }
      const read = async () =>
        (await import('./viem/transactionStatus.ts')).readTransactionStatus(await from, { hash, sent: by })
      return unlessAborted(read(), signal)
    },

    async transactionNonce({ hash, account, network, session, fetch, signal }) {
      const from = ownReader(network.caipNetworkId, fetch) ?? sessionReader(session as EvmSession | undefined, network)
      if (!from) return undefined
      const sender = addressOf(account)
      const read = async () =>
        (await import('./viem/transactionStatus.ts')).readTransactionNonce(await from, { hash, sender })
      return unlessAborted(read(), signal)
    },

    async tokenDecimals({ token, network, session, fetch, signal }) {
      const from = ownReader(network.caipNetworkId, fetch) ?? sessionReader(session as EvmSession | undefined, network)
      if (!from) return undefined
      const read = async () => (await import('./viem/tokenDecimals.ts')).readTokenDecimals(await from, token)
      return unlessAborted(read(), signal)
    },

    async tokenSymbol({ token, network, session, fetch, signal }) {
      const from = ownReader(network.caipNetworkId, fetch) ?? sessionReader(session as EvmSession | undefined, network)
      if (!from) return undefined
      const read = async () => (await import('./viem/tokenSymbol.ts')).readTokenSymbol(await from, token)
      return unlessAborted(read(), signal)
    },

    async tokenHolding({ account, token, network, session, fetch, signal }) {
      const from = ownReader(network.caipNetworkId, fetch) ?? sessionReader(session as EvmSession | undefined, network)
      if (!from) return undefined
      const owner = addressOf(account)
      const read = async () => (await import('./viem/tokenHolding.ts')).readTokenHolding(await from, { token, owner })
      return unlessAborted(read(), signal)
    },

    async identity({ address, network, session, fetch, signal }) {
      if (network.testnet) return {}
      const named = nameChain(known, network)
      const from = named
        ? ownReader(named, fetch)
        : known.size === 0
          ? sessionReader(session as EvmSession | undefined, network, 1)
          : undefined
      if (!from) return {}
      const read = async () => (await import('./viem/ensIdentity.ts')).readIdentity(await from, address)
      return unlessAborted(read(), signal).catch(() => ({}))
    },

    async resolveName({ name, network, session, fetch, signal }) {
      // A name on a test network can belong to someone other than its owner on the main network.
      if (network.testnet) return undefined
      const named = nameChain(known, network)
      const from = named
        ? ownReader(named, fetch)
        : known.size === 0
          ? sessionReader(session as EvmSession | undefined, network, 1)
          : undefined
      if (!from) return undefined
      const read = async () =>
        (await import('./viem/ensAddress.ts')).readEnsAddress(await from, { name, chainId: Number(network.id) })
      return unlessAborted(read(), signal)
    },

    checksumAddress: async (address) =>
      // The checksum of the given spelling is not verified.
      (await import('./viem/checksum.ts')).getAddress(address.toLowerCase() as `0x${string}`),

    async transferFee({ account, to, amount, token, decimals, network, session, fetch, signal }) {
      const client = clientFor(network, { ...(session && { session }), ...(fetch && { fetch }) })
      const read = async () =>
        (await import('./viem/transferFee.ts')).readTransferFee(await client, {
          chain: network.caipNetworkId,
          from: addressOf(account),
          to,
          amount,
          token: token && (parseAccountId(token)?.address ?? token),
          decimals,
          isSmartAccount: session?.details?.type === 'smartAccount',
        })
      return unlessAborted(read(), signal)
    },

    async isContract({ address, network, session, fetch, signal }) {
      const client = clientFor(network, { ...(session && { session }), ...(fetch && { fetch }) })
      const read = async () => (await import('./viem/contractCode.ts')).isContract(await client, address)
      return unlessAborted(read(), signal)
    },
  }
}

async function reader(from: ReadFrom): Promise<Client> {
  const { readerOf } = await import('./viem/nativeBalance.ts')
  return readerOf(from)
}

/**
 * Returns a client that reads through the wallet. Returns `undefined` if the wallet is on a different network, or if `only` is
 * set and is not the ID of `network`.
 */
function sessionReader(
  session: EvmSession | undefined,
  network: Network<'eip155'>,
  only?: number,
): Promise<Client> | undefined {
  if (session?.chain !== network.caipNetworkId) return undefined
  if (only !== undefined && network.caipNetworkId !== `eip155:${only}`) return undefined
  return reader({ provider: session.provider })
}

/** Returns the chain for ENS lookups: `network` if it has a resolver, or else Ethereum if it is configured. */
function nameChain(
  known: ReadonlyMap<ChainId<'eip155'>, { readonly chain: Chain }>,
  network: Network<'eip155'>,
): ChainId<'eip155'> | undefined {
  return ([network.caipNetworkId, 'eip155:1'] as const).find(
    (id) => known.get(id)?.chain.contracts?.ensUniversalResolver,
  )
}
