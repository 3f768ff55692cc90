import type { Network, Session } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import type { Chain, Client, Transport } from 'viem'
import type { EvmSession } from './evmSession.ts'
import type { ReadFrom } from './viem/nativeBalance.ts'

/** The wallet session through which data can be read, and the `fetch` for configured chains. */
interface ReadSource {
  readonly session?: Session<'eip155'>
  readonly fetch?: typeof fetch
}

/** The viem clients that read from chains: from a configured chain with its transport, or else through the wallet. */
export interface ChainClients {
  /** Returns the client for a network. `undefined` if it is not configured and the wallet is on another network. */
  of(network: Network<'eip155'>, source: ReadSource): Promise<Client> | undefined
  /** Returns the client for ENS: the network's own, or that of Ethereum. `undefined` if neither has a resolver. */
  forNames(network: Network<'eip155'>, source: ReadSource): Promise<Client> | undefined
  /** Removes the client of a chain that is no longer configured. */
  remove(chain: ChainId<'eip155'>): void
}

/** Creates the clients. viem is loaded with the first one. */
export function createChainClients({
  known,
  transports,
}: {
  /** The configured chains. */
  readonly known: ReadonlyMap<ChainId<'eip155'>, { readonly chain: Chain }>
  /** The transports by chain ID. */
  readonly transports: Readonly<Record<number, Transport>>
}): ChainClients {
  const clients = new Map<
    ChainId<'eip155'>,
    { readonly by: typeof fetch | undefined; readonly made: Promise<Client> }
  >()

  /** Returns the client for a configured chain. Clients are cached, because a transport can keep a socket open. */
  const configured = (id: ChainId<'eip155'>, by: typeof fetch | undefined) => {
    const chain = known.get(id)?.chain
    if (!chain) return undefined
    const before = clients.get(id)
    if (before?.by === by && before) return before.made
    const made = createReader({ chain, transport: transports[chain.id], fetch: by })
    clients.set(id, { by, made })
    // Allow another attempt if the chunk could not be loaded.
    made.catch(() => clients.delete(id))
    return made
  }

  return {
    of: (network, { session, fetch }) =>
      configured(network.caipNetworkId, fetch) ?? throughWallet(session as EvmSession | undefined, network),
    forNames(network, { session, fetch }) {
      const named = nameChain(known, network)
      if (named) return configured(named, fetch)
      return known.size === 0 ? throughWallet(session as EvmSession | undefined, network, 1) : undefined
    },
    remove: (chain) => void clients.delete(chain),
  }
}

async function createReader(from: ReadFrom): Promise<Client> {
  const { readerOf } = await import('./viem/nativeBalance.ts')
  return readerOf(from)
}

/**
 * Returns a client that reads through the wallet. Returns `undefined` if the wallet is on a different network, or if `only` is
 * set and is not the ID of `network`.
 */
function throughWallet(
  session: EvmSession | undefined,
  network: Network<'eip155'>,
  only?: number,
): Promise<Client> | undefined {
  if (session?.chain !== network.caipNetworkId) return undefined
  if (only !== undefined && network.caipNetworkId !== `eip155:${only}`) return undefined
  return createReader({ provider: session.provider })
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
