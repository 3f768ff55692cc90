import type { Adapter, Network, TransactionExpiry } from '@latchkey/core/adapter'
import { addressOf } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import * as v from 'valibot'
import { inContext, lamports, type SolanaNode, solanaNode } from './solanaNode.ts'

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

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const epochInfo = v.object({ absoluteSlot: count, blockHeight: count })
/** The number of blocks for which a blockhash is accepted. It is the network's limit (`MAX_PROCESSING_AGE`). */
const blockhashLifetime = 150
/** The number of slots in about two minutes, which is longer than a blockhash is valid. A slot takes about 0.4 seconds. */
const recentSlots = 300

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

    async transactionStatus({ hash, expiry, network, fetch, signal }) {
      const node = solanaNode({ network, fetch, signal })
      // This is read first, so that the status below includes all blocks up to the last one that can contain the transaction.
      const hasExpired = expiry !== undefined && (await isOver(node, expiry))
      const [found] = await node.call('getSignatureStatuses', [[hash], { searchTransactionHistory: true }], statuses)
      if (!found) return hasExpired ? 'dropped' : 'pending'
      if (found.err !== null && found.err !== undefined) return 'failed'
      // A block that is only processed can still be dropped.
      return found.confirmationStatus === 'processed' ? 'pending' : 'done'
    },

    async transactionExpiry({ network, fetch, signal }) {
      const node = solanaNode({ network, fetch, signal })
      const { absoluteSlot, blockHeight } = await node.call('getEpochInfo', [{ commitment: 'processed' }], epochInfo)
      return { block: blockHeight + blockhashLifetime, slot: Math.max(0, absoluteSlot - recentSlots) }
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

/** Whether a transaction has expired, and the node still has all blocks that could contain it. */
async function isOver(node: SolanaNode, { block, slot }: TransactionExpiry): Promise<boolean> {
  const { blockHeight } = await node.call('getEpochInfo', [{ commitment: 'finalized' }], epochInfo)
  return blockHeight > block && (await node.call('getFirstAvailableBlock', [], count)) <= slot
}
