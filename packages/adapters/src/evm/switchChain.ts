import type { Clock, Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { toWalletError, wantsChainAdded, wasRejected } from '../shared/walletErrors.ts'
import { hexChainId, readChainId } from './chainId.ts'

/** The maximum time that the wallet's chain ID can lag behind an approved switch. */
const settleMs = 1_500

/** Parameters for `switchChain`. */
export interface Switching {
  readonly network: Network<'eip155'>
  readonly connectorId: string
  readonly clock: Clock
  request(method: string, params?: unknown): Promise<unknown>
  /** Returns a promise that resolves when the chain changes or the session ends. */
  nextChain(): { readonly seen: Promise<void>; cancel(): void }
}

/**
 * Switches the wallet to `network` (EIP-3326). If the wallet does not recognize the chain, adds the chain first (EIP-3085).
 * Resolves only once the wallet reports the new chain ID.
 */
export async function switchChain({
  network,
  connectorId,
  clock,
  request,
  nextChain,
}: Switching): Promise<ChainId<'eip155'>> {
  const wanted = network.caipNetworkId
  const callWallet = async (method: string, params: unknown) => {
    try {
      await request(method, [params])
    } catch (error) {
      if (method === 'wallet_switchEthereumChain' && wantsChainAdded(error)) return 'unknown'
      throw refusal(error, { request: method, connectorId, chain: wanted })
    }
    return 'done'
  }
  const currentChain = async () => readChainId(await request('eth_chainId').catch(() => undefined))

  const chainId = hexChainId(wanted)
  if ((await callWallet('wallet_switchEthereumChain', { chainId })) === 'unknown') {
    await callWallet('wallet_addEthereumChain', additionOf(network))
    // Some wallets switch to a chain when they add it, while others prompt separately. EIP-3085 allows both.
    if (
      (await currentChain()) !== wanted &&
      (await callWallet('wallet_switchEthereumChain', { chainId })) === 'unknown'
    ) {
      throw new LatchkeyError('network/unsupported', { chain: wanted })
    }
  }

  const next = nextChain()
  try {
    if ((await currentChain()) === wanted) return wanted
    await new Promise<void>((resolve) => {
      const cancel = clock.after(settleMs, resolve)
      void next.seen.then(() => {
        cancel()
        resolve()
      })
    })
    if ((await currentChain()) === wanted) return wanted
  } finally {
    next.cancel()
  }
  throw new LatchkeyError('network/unsupported', { chain: wanted })
}

/** Returns the EIP-3085 parameters. Includes only valid URLs, and only the network's own RPC URLs, without a project ID. */
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
