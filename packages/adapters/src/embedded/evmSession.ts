import type { Connector, Eip1193Provider, Network, Session } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { hexChainId, readChainId } from '../evm/chainId.ts'
import { openSession } from '../evm/evmSession.ts'
import type { FamilySessionInput, SessionContext } from './sessionContext.ts'

/** A session on eip155 over the frame: to everybody else it is an EIP-1193 wallet like any other. */
export async function openEvm({
  inside,
  connector,
  adapter,
  signal,
  kept: stored,
}: FamilySessionInput): Promise<Session> {
  // Asked for the family's own connector, which is of this namespace.
  const own = connector as Connector<'eip155'>
  const networks = adapter.networks as readonly Network<'eip155'>[]
  const networkOf = (chain: ChainId<'eip155'>) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === chain) ??
    (adapter.describe?.(chain) as Network<'eip155'> | undefined)
  const { provider, stop } = evmProvider(inside, networkOf)
  stored.stop?.()
  stored.stop = stop
  try {
    return await openSession({
      connector: own,
      provider,
      kept: stored,
      clock: inside.host.clock,
      networkOf,
      async leave() {
        stop()
        await inside.signOut()
      },
      details: () => ({ type: inside.holder().type }),
      // Whoever stands behind the frame is known by now; nothing of this prompts.
      asked: { silent: true, signal },
    })
  } catch (error) {
    stop()
    throw error
  }
}

/** The frame as an EIP-1193 provider. What the page knows itself is answered here: accounts, chain, switching. */
function evmProvider(
  inside: SessionContext,
  networkOf: (chain: ChainId<'eip155'>) => Network<'eip155'> | undefined,
): { readonly provider: Eip1193Provider; stop(): void } {
  const listeners = new Map<string, Set<(value: never) => void>>()
  const tell = (event: string, value: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never)
  }
  let last = inside.holder()
  const stop = inside.onHolder((now) => {
    const before = last
    // The login ended, from wherever that was asked: every family's session is over.
    if (!now) return tell('accountsChanged', [])
    last = now
    if (now.chain !== before.chain) tell('chainChanged', hexChainId(now.chain as ChainId<'eip155'>))
    if (now.address !== before.address) tell('accountsChanged', [now.address])
  })

  const provider: Eip1193Provider = {
    async request({ method, params }) {
      const { address, chain } = inside.holder()
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [address]
      // Hex, as EIP-695 has it; a wallet that answers a number breaks every library (R6.3 never sends it).
      if (method === 'eth_chainId') return hexChainId(chain as ChainId<'eip155'>)
      if (method === 'wallet_switchEthereumChain') return switchTo(params)
      return inside.requests.ask({ chain, method, params })
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
  }

  const switchTo = async (params: unknown): Promise<null> => {
    const [request] = Array.isArray(params) ? (params as readonly unknown[]) : []
    const wanted =
      typeof request === 'object' && request !== null && 'chainId' in request ? readChainId(request.chainId) : undefined
    const network = wanted && networkOf(wanted)
    if (!network) throw Object.assign(new Error('Unrecognized chain ID.'), { code: 4902 })
    if (inside.holder().chain !== wanted) await inside.moveTo(network)
    return null
  }

  return { provider, stop }
}
