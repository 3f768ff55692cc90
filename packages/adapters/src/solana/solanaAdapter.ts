import type { Adapter, Network } from '@latchkey/core/adapter'
import { addressOf } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import * as v from 'valibot'
import { inContext, lamports, solanaNode } from './solanaNode.ts'

/** Options for `solanaAdapter`. */
export interface SolanaAdapterOptions {
  /** The networks, such as `solana` of `@latchkey/core`. Their first RPC URL is used. */
  readonly networks: readonly Network<'solana'>[]
}

const statuses = inContext(
  v.pipe(
    v.array(v.nullable(v.object({ err: v.unknown(), confirmationStatus: v.optional(v.nullable(v.string())) }))),
    v.length(1),
  ),
)

/**
 * Creates the adapter for Solana. It reads balances and fees from the networks' nodes, and serves the embedded wallet and remote
 * wallets. Wallets on the page are not discovered yet.
 *
 * @example
 * import { solana } from '@latchkey/core'
 * createLatchkey({ adapters: [solanaAdapter({ networks: [solana] })], wallets: [embedded({ url: 'https://keys.example.com' })] })
 */
export function solanaAdapter({ networks: initial }: SolanaAdapterOptions): Adapter<'solana'> {
  const networks = [...initial]
  return {
    namespace: 'solana',
    networks,
    change(params) {
      if ('add' in params) networks.push(params.add)
      else networks.splice(0, networks.length, ...networks.filter((network) => network.caipNetworkId !== params.remove))
    },
    discover() {},

    async balance({ account, network, fetch, signal }) {
      try {
        const node = solanaNode({ network, fetch, signal })
        const params = [addressOf(account), { commitment: 'confirmed' }]
        const value = await node.call('getBalance', params, inContext(lamports))
        const { decimals, symbol } = network.nativeCurrency
        return { value, decimals, symbol }
      } catch (error) {
        if (signal.aborted) throw error
        throw new LatchkeyError('balance/unavailable', undefined, { cause: error })
      }
    },

    async transactionStatus({ hash, network, fetch, signal }) {
      const node = solanaNode({ network, fetch, signal })
      const [found] = await node.call('getSignatureStatuses', [[hash], { searchTransactionHistory: true }], statuses)
      if (!found) return 'pending'
      if (found.err !== null && found.err !== undefined) return 'failed'
      // A block that is only processed can still be dropped.
      return found.confirmationStatus === 'processed' ? 'pending' : 'done'
    },

    async tokenDecimals({ token, network, fetch, signal }) {
      const { readTokenDecimals } = await import('./createTransfer.ts')
      return readTokenDecimals(solanaNode({ network, fetch, signal }), token)
    },

    async tokenSymbol({ token, network, fetch, signal }) {
      const { readTokenSymbol } = await import('./tokenSymbol.ts')
      return readTokenSymbol(solanaNode({ network, fetch, signal }), token)
    },

    async transferFee({ account, to, amount, token, decimals, network, fetch, signal }) {
      const { readTransferFee } = await import('./createTransfer.ts')
      const transfer = { from: addressOf(account), to, amount, token, decimals }
      return readTransferFee(solanaNode({ network, fetch, signal }), transfer)
    },

    async isContract({ address, network, fetch, signal }) {
      const { isProgramAccount } = await import('./createTransfer.ts')
      return isProgramAccount(solanaNode({ network, fetch, signal }), address)
    },
  }
}
