import { setMaxListeners } from 'node:events'
import { fromBase58 } from '@latchkey/protocol/bytes'
import { HttpError } from '../../errors/httpError.ts'
import { createSemaphore } from '../../resilience/semaphore.ts'
import type { Clock, Log } from '../../serverDependencies.ts'
import type { HistoryReader, Onramp } from '../chainApiTypes.ts'
import type { ChainConfig } from '../chainConfig.ts'
import type { CallNode } from '../nodeBatch.ts'
import { configuredChain, isEmptyChain } from '../nodeClient.ts'
import { createEvmHistory } from './evmHistory.ts'
import { createIndexerSearches } from './indexerSearch.ts'
import { createSolanaHistory } from './solanaHistory.ts'

/**
 * The maximum number of pages that are read at the same time, each with up to two hundred calls. Twice as many pages can wait.
 */
const maxConcurrent = 16
/** The time limit for a page, in milliseconds. */
const maxPageMs = 30_000

/** The chain that is read if a request does not specify one. */
const defaultChain = 'eip155:1'

/**
 * Creates the reader for the histories of EVM and Solana accounts.
 *
 * @example
 * const history = createHistoryReader({ chains, callNode, fetch, clock, log })
 * const { data, next } = await history.history('0xab16…', { chainId: 'eip155:1', currency: 'usd' }, signal)
 */
export function createHistoryReader({
  chains,
  callNode,
  onramp,
  fetch,
  clock,
  log,
  indexerTimeoutMs,
}: {
  chains: ReadonlyMap<string, ChainConfig>
  callNode: CallNode
  /** Provides the purchases of accounts. Without it, their lists are empty. */
  onramp?: Pick<Onramp, 'purchases'> | undefined
  fetch: typeof globalThis.fetch
  clock: Clock
  log: Log
  /** The time limit for each response of an indexer, in milliseconds. Default: ten seconds. */
  indexerTimeoutMs?: number | undefined
}): HistoryReader {
  const evm = createEvmHistory({
    callNode,
    indexers: createIndexerSearches({ fetch, callNode, clock, log, timeoutMs: indexerTimeoutMs }),
    clock,
  })
  const solana = createSolanaHistory({ callNode, clock })
  const slots = createSemaphore({ calls: maxConcurrent, waiting: 2 * maxConcurrent })

  async function limited<Page>(signal: AbortSignal, read: (signal: AbortSignal) => Promise<Page>): Promise<Page> {
    const limit = new AbortController()
    // Each concurrent call adds a listener. Node.js warns about more than ten.
    setMaxListeners(0, limit.signal)
    const abort = (): void => limit.abort()
    const timer = setTimeout(abort, maxPageMs)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    try {
      const leave = await slots.enter(limit.signal)
      if (!leave) throw new HttpError(503, 'chainId', 'The server is busy: try again', 1)
      return await read(limit.signal).finally(leave)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    async history(address, { chainId = defaultChain, cursor, onramp: source }, signal) {
      const [namespace] = chainId.split(':')
      if (source !== undefined) {
        if (source !== 'coinbase') throw new HttpError(400, 'onramp', 'Only purchases through Coinbase can be listed')
        if (namespace !== 'eip155') throw new HttpError(400, 'chainId', 'Purchases can only be listed for EVM chains')
        const account = evmAddress(address)
        return onramp ? onramp.purchases(account, cursor, signal) : { data: [], next: null }
      }
      if (isEmptyChain(chains, chainId)) {
        evmAddress(address)
        return { data: [], next: null }
      }
      const chain = configuredChain(chains, chainId)
      if (namespace === 'eip155') {
        const account = evmAddress(address)
        return limited(signal, (limit) => evm(chain, account, cursor, limit))
      }
      if (namespace === 'solana') {
        const account = solanaAddress(address)
        return limited(signal, (limit) => solana(chain, account, cursor, limit))
      }
      throw new HttpError(400, 'chainId', `The history of ${chainId} is not supported`)
    },
  }
}

/** Returns an EVM address in lower case. The checksum is not verified, because it does not affect what is read. */
function evmAddress(address: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new HttpError(400, 'address', 'The address is not an EVM address')
  return address.toLowerCase() as `0x${string}`
}

function solanaAddress(address: string): string {
  if (address.length > 44 || fromBase58(address)?.length !== 32)
    throw new HttpError(400, 'address', 'The address is not a Solana address')
  return address
}
