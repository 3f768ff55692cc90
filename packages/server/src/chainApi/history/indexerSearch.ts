import * as v from 'valibot'
import { readLimitedText } from '../../http/readLimitedBody.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../../resilience/circuitBreaker.ts'
import type { Clock, Log } from '../../serverDependencies.ts'
import type { ChainConfig } from '../chainConfig.ts'
import type { CallNode } from '../nodeBatch.ts'
import { hashText, hexIndex } from './evmSchemas.ts'
import type { FoundTransaction, SearchStep, TransactionSearch } from './searchTransactions.ts'

/** Searches in the indexers of EVM chains. */
export interface IndexerSearches {
  /**
   * Calls `search` with the searches to combine, and resolves to its result. Resolves to `undefined` if the chain has no
   * indexer, or if the indexer does not respond as expected.
   */
  use<Result>(
    chain: ChainConfig,
    account: `0x${string}`,
    search: (searches: readonly TransactionSearch[]) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined>
}

/**
 * The lists of an account in the API of Etherscan and Blockscout (https://docs.etherscan.io/api-endpoints/accounts). Not every
 * indexer has the last two.
 */
const lists = [
  { action: 'txlist', isOptional: false, entries: 200 },
  // Etherscan does not report their position in the block, so it is read from the node.
  { action: 'txlistinternal', isOptional: false, entries: 60 },
  { action: 'tokentx', isOptional: false, entries: 200 },
  { action: 'tokennfttx', isOptional: true, entries: 200 },
  { action: 'token1155tx', isOptional: true, entries: 200 },
] as const

/** The time limit for each response, in milliseconds. */
const defaultTimeoutMs = 10_000
const maxBytes = 8_388_608
/** The maximum number of entries that indexers return. Requested if all entries of a smaller page are in one block. */
const maxEntries = 10_000
const maxFailures = 3
const openMs = 30_000

const digits = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(Number),
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
)
const placed = v.object({ transactionIndex: hexIndex })
const entry = v.object({ hash: hashText, blockNumber: digits, transactionIndex: v.optional(digits) })
const answerSchema = v.object({ status: v.string(), message: v.nullish(v.string(), ''), result: v.unknown() })

/** Creates the searches in indexers. Their responses only determine which transactions to read from the node. */
export function createIndexerSearches({
  fetch: send,
  callNode,
  clock,
  log,
  timeoutMs = defaultTimeoutMs,
}: {
  fetch: typeof fetch
  callNode: CallNode
  clock: Clock
  log: Log
  timeoutMs?: number | undefined
}): IndexerSearches {
  const breakers = new Map<string, CircuitBreaker>()
  async function ask(
    base: string,
    query: Record<string, string | number>,
    signal: AbortSignal,
  ): Promise<readonly unknown[] | 'unknown action'> {
    const url = new URL(base)
    url.searchParams.set('module', 'account')
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const response = await send(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      redirect: 'error',
      headers: { accept: 'application/json' },
    })
    const text = response.ok ? await readLimitedText(response, maxBytes) : undefined
    if (text === undefined) throw new Error(`The indexer responded with ${response.status}`)
    const { message, result } = v.parse(answerSchema, JSON.parse(text))
    if (Array.isArray(result)) return result
    // Etherscan and Blockscout report empty lists and unknown actions with status 0 and a message.
    if (/no (transactions|records|internal|token)/i.test(`${message} ${String(result)}`)) return []
    if (/unknown|invalid|missing.*action/i.test(`${message} ${String(result)}`)) return 'unknown action'
    throw new Error('The indexer rejected the request')
  }

  function searchIn(
    { chainId, history }: ChainConfig,
    account: string,
    { action, isOptional, entries }: (typeof lists)[number],
    signal: AbortSignal,
  ): TransactionSearch {
    return async ({ toBlock }): Promise<SearchStep> => {
      for (let offset: number = entries; ; offset = maxEntries) {
        const range = { startblock: 0, endblock: toBlock, page: 1, offset, sort: 'desc' }
        const answer = await ask(history?.url ?? '', { action, address: account, ...range }, signal)
        if (answer === 'unknown action') {
          if (isOptional) return { found: [], fromBlock: 0 }
          throw new Error('The indexer does not have this list')
        }
        const found = await positionsOf(chainId, answer.slice(0, maxEntries), signal)
        if (found.some(({ block }) => block > toBlock)) throw new Error('The indexer ignored the range')
        if (answer.length < offset) return { found, fromBlock: 0 }
        // The list can end within a block.
        const lowest = Math.min(...found.map(({ block }) => block))
        const whole = found.filter(({ block }) => block > lowest)
        if (whole.length > 0) return { found: whole, fromBlock: lowest + 1 }
        if (offset >= maxEntries) return { found, fromBlock: lowest }
      }
    }
  }

  async function positionsOf(
    chainId: string,
    answer: readonly unknown[],
    signal: AbortSignal,
  ): Promise<readonly FoundTransaction[]> {
    const found = answer.map((value) => {
      // In Blockscout's internal transactions, the hash is in a different field.
      const raw = value as { hash?: unknown; transactionHash?: unknown } | null
      return v.parse(entry, { ...raw, hash: raw?.hash ?? raw?.transactionHash })
    })
    const unknown = [...new Set(found.flatMap(({ hash, transactionIndex: at }) => (at === undefined ? [hash] : [])))]
    const calls = unknown.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
    const read = await callNode(chainId, calls, signal)
    const indexes = new Map(unknown.map((hash, at) => [hash, v.parse(placed, read[at]).transactionIndex]))
    return found.map(({ hash, blockNumber, transactionIndex }) => ({
      hash,
      block: blockNumber,
      index: transactionIndex ?? indexes.get(hash) ?? 0,
    }))
  }

  return {
    async use(chain, account, search, signal) {
      const { chainId, history } = chain
      if (!history) return undefined
      const breaker = breakers.get(chainId) ?? createCircuitBreaker({ failures: maxFailures, openMs, clock })
      breakers.set(chainId, breaker)
      if (!breaker.canCall()) return undefined
      try {
        const result = await search(lists.map((list) => searchIn(chain, account, list, signal)))
        breaker.succeeded()
        return result
      } catch (error) {
        if (signal.aborted) breaker.abandoned()
        signal.throwIfAborted()
        breaker.failed()
        log('warn', 'the indexer of a chain did not respond as expected', { chain: chainId, error: nameOf(error) })
        return undefined
      }
    },
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
