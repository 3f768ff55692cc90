import type { Clock, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { toWalletError, wantsChainAdded, wasRejected } from '../shared/walletErrors.ts'
import { hexChainId, readChainId } from './chainId.ts'

/** Maximum delay of the wallet's chain ID after an approved switch. */
const settleMs = 1_500

/** Parameters of `switchChain`. */
export interface Switching {
  readonly network: Network<'eip155'>
  readonly connectorId: string
  readonly clock: Clock
  request(method: string, params?: unknown): Promise<unknown>
  /** Resolves at the next chain event. */
  nextChain(): { readonly seen: Promise<void>; cancel(): void }
}

/**
 * Switches the wallet to `network` (EIP-3326), adding it first if the wallet does not know it (EIP-3085). The switch counts
 * only once the wallet reports the new chain ID.
 */
export async function switchChain({
  network,
  connectorId,
  clock,
  request,
  nextChain,
}: Switching): Promise<ChainId<'eip155'>> {
  const wanted = network.caipNetworkId
  const asked = async (method: string, params: unknown) => {
    try {
      await request(method, [params])
    } catch (error) {
      if (method === 'wallet_switchEthereumChain' && wantsChainAdded(error)) return 'unknown'
      throw refusal(error, { request: method, connectorId, chain: wanted })
    }
    return 'done'
  }
  const told = async () => readChainId(await request('eth_chainId').catch(() => undefined))

  const chainId = hexChainId(wanted)
  if ((await asked('wallet_switchEthereumChain', { chainId })) === 'unknown') {
    await asked('wallet_addEthereumChain', additionOf(network))
    // Some wallets switch when adding a chain, others prompt separately. EIP-3085 allows both.
    if ((await told()) !== wanted && (await asked('wallet_switchEthereumChain', { chainId })) === 'unknown') {
      throw new LatchkeyError('network/unsupported', { chain: wanted })
    }
  }

  const next = nextChain()
  try {
    if ((await told()) === wanted) return wanted
    await new Promise<void>((resolve) => {
      const cancel = clock.after(settleMs, resolve)
      void next.seen.then(() => {
        cancel()
        resolve()
      })
    })
    if ((await told()) === wanted) return wanted
  } finally {
    next.cancel()
  }
  throw new LatchkeyError('network/unsupported', { chain: wanted })
}

/** The parameters of EIP-3085: only valid URLs, and only the network's own RPC URLs, which contain no project ID. */
function additionOf(network: Network<'eip155'>): Record<string, unknown> {
  const rpcUrls = (network.rpcUrls.default?.http ?? []).filter(isWebAddress)
  const blockExplorerUrls = Object.values(network.blockExplorers ?? {})
    .map(({ url }) => url)
    .filter(isWebAddress)
  if (rpcUrls.length === 0) throw new LatchkeyError('network/unsupported', { chain: network.caipNetworkId })
  return {
    chainId: hexChainId(network.caipNetworkId),
    chainName: network.name,
    nativeCurrency: network.nativeCurrency,
    rpcUrls,
    ...(blockExplorerUrls.length > 0 && { blockExplorerUrls }),
  }
}

function refusal(error: unknown, params: { request: string; connectorId: string; chain: string }): LatchkeyError {
  const known = toWalletError(error, params)
  if (wasRejected(error) || known.code === 'wallet/busy' || known.code === 'wallet/unresponsive') return known
  return new LatchkeyError('network/unsupported', { chain: params.chain }, { cause: error })
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\/\S+$/i.test(url)
}
