import * as v from 'valibot'
import type { Clock } from '../../serverDependencies.ts'
import { type CallNode, nodeResult, unavailable } from '../nodeBatch.ts'
import { NodeCallError } from '../nodeClient.ts'
import { hashText, hexIndex } from './evmSchemas.ts'
import type { FoundTransaction, TransactionSearch } from './searchTransactions.ts'
import { transferBatchTopic, transferSingleTopic, transferTopic } from './tokenEvents.ts'

// Finds an account's transactions on an EVM node without an indexer.

/** Searches on the nodes of EVM chains. The methods that a chain's nodes support are cached. */
export interface NodeSearches {
  /** Returns the searches to combine, and whether they find all transactions. */
  searchesFor(
    chainId: string,
    account: `0x${string}`,
    signal: AbortSignal,
  ): Promise<{ searches: readonly TransactionSearch[]; isPartial: boolean }>
}

/** How long the methods that a node supports are cached, in milliseconds. Nodes can be replaced at any time. */
const rememberMs = 600_000
/** The number of blocks to search for logs at first. Most public nodes accept it. */
const firstWindow = 10_000
const minWindow = 100
/** The factor by which the window grows after a window with few logs. */
const growth = 8
const fewLogs = 1_000
/** The maximum number of logs in a window. A window with more is divided. */
const maxLogs = 20_000
const maxSearchResults = 5_000

const searchAnswer = v.object({
  txs: v.pipe(
    v.array(v.object({ hash: hashText, blockNumber: hexIndex, transactionIndex: hexIndex })),
    v.maxLength(maxSearchResults),
  ),
  lastPage: v.boolean(),
})

const logAnswer = v.array(v.object({ transactionHash: hashText, blockNumber: hexIndex, transactionIndex: hexIndex }))

/** Creates the searches on nodes. */
export function createNodeSearches({ callNode, clock }: { callNode: CallNode; clock: Clock }): NodeSearches {
  const memory = new Map<string, { value: boolean | number; until: number }>()
  const recall = (key: string): boolean | number | undefined => {
    const found = memory.get(key)
    return found && found.until > clock() ? found.value : undefined
  }
  const remember = (key: string, value: boolean | number): void => {
    memory.set(key, { value, until: clock() + rememberMs })
  }

  /**
   * Searches with `ots_searchTransactionsBefore` (Erigon, anvil), which finds every transaction whose trace contains the
   * account (https://docs.otterscan.io/api-docs/ots-api). It does not find token transfers from others, in which only a log
   * contains the recipient.
   */
  function byTraces(chainId: string, account: string, signal: AbortSignal): TransactionSearch {
    return async ({ toBlock, count }) => {
      const params = [account, toBlock + 1, count]
      const [result] = await callNode(chainId, [{ method: 'ots_searchTransactionsBefore', params }], signal)
      // Another node of the chain may not support the method. The next request uses the logs only.
      if (result instanceof NodeCallError) remember(`${chainId} traces`, false)
      const answer = nodeResult(searchAnswer, result)
      const found = answer.txs.map(positioned)
      if (found.some(({ block }) => block > toBlock)) throw unavailable()
      const isLast = answer.lastPage || found.length === 0
      return { found, fromBlock: isLast ? 0 : Math.min(...found.map(({ block }) => block)) }
    }
  }

  /**
   * Searches the logs of token transfers, in ranges of blocks. A range grows if there are few logs, and shrinks if the node
   * rejects it.
   */
  function byLogs(chainId: string, account: string, signal: AbortSignal): TransactionSearch {
    const topic = `0x${account.slice(2).toLowerCase().padStart(64, '0')}`
    const kinds = [transferTopic, transferSingleTopic, transferBatchTopic]
    // The sender and the recipient of ERC-20 and ERC-721 are topics 1 and 2, those of ERC-1155 are topics 2 and 3.
    const filters = [
      [transferTopic, topic],
      [kinds, null, topic],
      [kinds.slice(1), null, null, topic],
    ]
    let window = firstWindow
    return async ({ toBlock }) => {
      for (;;) {
        const most = Number(recall(`${chainId} window`) ?? Number.POSITIVE_INFINITY)
        const fromBlock = Math.max(0, toBlock - Math.min(window, most) + 1)
        const range = { fromBlock: hex(fromBlock), toBlock: hex(toBlock) }
        const calls = filters.map((topics) => ({ method: 'eth_getLogs', params: [{ ...range, topics }] }))
        const answers = await callNode(chainId, calls, signal)
        const refused = answers.find((answer) => answer instanceof NodeCallError)
        const logs = refused ? [] : answers.flatMap((answer) => nodeResult(logAnswer, answer))
        const searched = toBlock - fromBlock + 1
        if ((refused || logs.length > maxLogs) && searched > minWindow) {
          window = Math.max(minWindow, Math.floor(searched / 4))
          // The block limit is the same for all accounts of a node, unlike the number of logs.
          if (refused) remember(`${chainId} window`, window)
          continue
        }
        if (refused) throw unavailable()
        if (logs.length < fewLogs) window = Math.min(searched * growth, Number.MAX_SAFE_INTEGER)
        const found = logs.map((log) => positioned({ ...log, hash: log.transactionHash }))
        if (found.some(({ block }) => block > toBlock || block < fromBlock)) throw unavailable()
        return { found, fromBlock }
      }
    }
  }

  async function searchesByTraces(chainId: string, account: string, signal: AbortSignal): Promise<boolean> {
    const known = recall(`${chainId} traces`)
    if (typeof known === 'boolean') return known
    const params = [account, 1, 1]
    const [answer] = await callNode(chainId, [{ method: 'ots_searchTransactionsBefore', params }], signal)
    const isSupported = v.is(searchAnswer, answer)
    remember(`${chainId} traces`, isSupported)
    return isSupported
  }

  return {
    async searchesFor(chainId, account, signal) {
      const hasTraces = await searchesByTraces(chainId, account, signal)
      const searches = [byLogs(chainId, account, signal)]
      if (hasTraces) searches.push(byTraces(chainId, account, signal))
      return { searches, isPartial: !hasTraces }
    },
  }
}

function positioned(item: { hash: string; blockNumber: number; transactionIndex: number }): FoundTransaction {
  return { hash: item.hash, block: item.blockNumber, index: item.transactionIndex }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}
