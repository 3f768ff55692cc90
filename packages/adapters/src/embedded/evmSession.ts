import type { Connector, Eip1193Provider, Network, Session } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { hexChainId, readChainId } from '../evm/chainId.ts'
import { openSession } from '../evm/evmSession.ts'
import type { FamilySessionInput, SessionContext } from './sessionContext.ts'

/** Opens an eip155 session over the frame, which is wrapped as an EIP-1193 provider so that it works like any other wallet. */
export async function openEvm({ inside, connector, adapter, signal, stored }: FamilySessionInput): Promise<Session> {
  // An eip155 adapter's connector always has this namespace.
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
      stored,
      clock: inside.host.clock,
      networkOf,
      async leave() {
        stop()
        await inside.signOut()
      },
      details: () => ({ type: inside.holder().type }),
      acceptsNonce: true,
      // The user is already logged in, so do not prompt.
      request: { silent: true, signal },
    })
  } catch (error) {
    stop()
    throw error
  }
}

/** Wraps the frame as an EIP-1193 provider. The page itself handles the accounts, the chain ID and chain switches. */
function evmProvider(
  inside: SessionContext,
  networkOf: (chain: ChainId<'eip155'>) => Network<'eip155'> | undefined,
): { readonly provider: Eip1193Provider; stop(): void } {
  const listeners = new Map<string, Set<(value: never) => void>>()
  const emit = (event: string, value: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never)
  }
  let last = inside.holder()
  const stop = inside.onHolder((now) => {
    const before = last
    // A logout ends the sessions of all chain families.
    if (!now) return emit('accountsChanged', [])
    last = now
    if (now.chain !== before.chain) emit('chainChanged', hexChainId(now.chain as ChainId<'eip155'>))
    if (now.address !== before.address) emit('accountsChanged', [now.address])
  })

  const provider: Eip1193Provider = {
    async request({ method, params }) {
      const { address, chain } = inside.holder()
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [address]
      // Return hex as in EIP-695, because numbers break common libraries (R6.3 requires that numbers are never sent).
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
