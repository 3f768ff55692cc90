import type { HistoryAnswer } from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'
import type { Clock } from '../../serverDependencies.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { type CallNode, nodeResult, unavailable } from '../nodeBatch.ts'
import { hexIndex, nodeBlock, nodeOperations, nodeReceipt, nodeTransaction } from './evmSchemas.ts'
import { accountMovements, type EvmTransaction, historyItem, type NativePayment } from './evmTransaction.ts'
import { readCursor, writeCursor } from './historyCursor.ts'
import type { IndexerSearches } from './indexerSearch.ts'
import { markSpam } from './markSpam.ts'
import { createNodeSearches } from './nodeSearch.ts'
import { type FoundTransaction, searchTransactions, type TransactionSearch } from './searchTransactions.ts'
import { createTokenInfoReader } from './tokenInfo.ts'
import { userOperationOf } from './userOperations.ts'

/** The number of transactions on a page. */
export const evmPageSize = 50

/** Reads a page of the history of an EVM account. */
export type EvmHistory = (
  chain: ChainConfig,
  account: `0x${string}`,
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<HistoryAnswer>

/**
 * Creates the reader for EVM histories. A search, in an indexer if there is one or otherwise in the node, only determines which
 * transactions to read. Their effects are read from the node: the receipt, the time of the block and, if the node supports
 * tracing, payments by contracts.
 */
export function createEvmHistory({
  callNode,
  indexers,
  clock,
}: {
  callNode: CallNode
  indexers: IndexerSearches
  clock: Clock
}): EvmHistory {
  const nodeSearches = createNodeSearches({ callNode, clock })
  const tokenInfos = createTokenInfoReader({ callNode, clock })

  async function readTransactions(
    { chainId }: ChainConfig,
    account: `0x${string}`,
    found: readonly FoundTransaction[],
    { hasTraces, signal }: { hasTraces: boolean; signal: AbortSignal },
  ): Promise<readonly EvmTransaction[]> {
    const blocks = [...new Set(found.map(({ block }) => block))]
    const each = (method: string) => found.map(({ hash }) => ({ method, params: [hash] }))
    const [transactions, receipts, headers, operations] = await Promise.all([
      callNode(chainId, each('eth_getTransactionByHash'), signal),
      callNode(chainId, each('eth_getTransactionReceipt'), signal),
      callNode(
        chainId,
        blocks.map((block) => ({ method: 'eth_getBlockByNumber', params: [`0x${block.toString(16)}`, false] })),
        signal,
      ),
      hasTraces ? callNode(chainId, each('ots_getInternalOperations'), signal) : [],
    ])
    const times = new Map(
      headers.map((header) => {
        const { number, timestamp } = nodeResult(nodeBlock, header)
        return [number, timestamp]
      }),
    )
    return found.flatMap(({ hash, block }, at) => {
      const [rawTransaction, rawReceipt] = [transactions[at], receipts[at]]
      // A chain reorganization has replaced the block.
      if (rawTransaction === null || rawReceipt === null) return []
      const transaction = nodeResult(nodeTransaction, rawTransaction)
      const receipt = nodeResult(nodeReceipt, rawReceipt)
      const timestamp = times.get(block)
      if (transaction.hash !== hash || receipt.transactionHash !== hash || timestamp === undefined) throw unavailable()
      const { status, contractAddress, logs } = receipt
      const internalPayments = hasTraces ? paymentsIn(operations[at], transaction) : undefined
      const operation = userOperationOf(account, logs)
      const isOwn = transaction.from === account || operation !== undefined
      const hasFailed = status === 0 || operation?.hasFailed === true
      return [{ ...transaction, isOwn, hasFailed, contractAddress, logs, internalPayments, timestamp }]
    })
  }

  return async (chain, account, cursor, signal) => {
    const { chainId } = chain
    const of = { chainId, account }
    const before = cursor === undefined ? undefined : readCursor(of, cursor)
    const node = await nodeSearches.searchesFor(chainId, account, signal)
    const head = before ?? {
      block:
        nodeResult(hexIndex, (await callNode(chainId, [{ method: 'eth_blockNumber', params: [] }], signal))[0]) + 1,
      index: 0,
    }
    const search = (searches: readonly TransactionSearch[]) =>
      searchTransactions({ searches, before: head, limit: evmPageSize, clock })
    const indexed = await indexers.use(chain, account, search, signal)
    const { found, next } = indexed ?? (await search(node.searches))
    const isPartial = !indexed && node.isPartial
    const transactions = await readTransactions(chain, account, found, { hasTraces: !node.isPartial, signal })
    const wrappedNative = chain.exchange?.wrappedNative.toLowerCase() as `0x${string}` | undefined
    const page = transactions
      .map((transaction) => ({ transaction, movements: accountMovements(transaction, { account, wrappedNative }) }))
      // A log can contain the address of an account that is not involved in the transaction.
      .filter(({ transaction, movements }) => transaction.isOwn || movements.length > 0)
    const addresses = page.flatMap(({ movements }) => movements.flatMap(({ token }) => (token ? [token] : [])))
    const tokens = await tokenInfos.read(chain, addresses, signal)
    const { getAddress } = await import('viem')
    const context = { account, chainId, nativeCurrency: chain.nativeCurrency, tokens, checksum: getAddress }
    return {
      data: markSpam(page, tokens).map((item) => historyItem(item, context)),
      next: next ? writeCursor(of, next) : null,
      ...(isPartial ? { isPartial } : {}),
    }
  }
}

/**
 * Returns the payments by contracts. Unlike Erigon, anvil also reports the payment of the transaction itself. A node that
 * cannot trace an old block reports no payments.
 */
function paymentsIn(
  answer: unknown,
  { from, to }: { from: string; to?: string | null | undefined },
): readonly NativePayment[] | undefined {
  const parsed = v.safeParse(nodeOperations, answer)
  if (!parsed.success) return undefined
  // Only the code of an EIP-7702 account pays from the address that sent the transaction.
  const isDelegated = from === to
  return parsed.output.filter((payment) => {
    const isItself = payment.from === from && (isDelegated ? payment.to === to : true)
    return payment.type === 0 && !isItself
  })
}
