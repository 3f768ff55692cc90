import { setMaxListeners } from 'node:events'
import { fromBase58 } from '@latchkey/protocol/bytes'
import { HttpError } from '../../errors/httpError.ts'
import type { Clock, Log } from '../../serverDependencies.ts'
import type { HistoryReader, OnrampProvider } from '../chainApi.ts'
import type { ChainConfig } from '../chainConfig.ts'
import type { CallNode } from '../nodeBatch.ts'
import { configuredChain } from '../nodeClient.ts'
import { createEvmHistory } from './evmHistory.ts'
import { createIndexerSearches } from './indexerSearch.ts'
import { createSolanaHistory } from './solanaHistory.ts'

/** The chain that is read if a request names none. */
const defaultChain = 'eip155:1'

/**
 * Creates the reader of histories, for EVM and Solana accounts.
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
}: {
  chains: ReadonlyMap<string, ChainConfig>
  callNode: CallNode
  /** Has the purchases of accounts. Without it, they are empty. */
  onramp?: Pick<OnrampProvider, 'purchases'> | undefined
  fetch: typeof globalThis.fetch
  clock: Clock
  log: Log
}): HistoryReader {
  const evm = createEvmHistory({ callNode, indexers: createIndexerSearches({ fetch, callNode, clock, log }), clock })
  const solana = createSolanaHistory({ callNode })

  return {
    async history(address, { chainId = defaultChain, cursor, onramp: source }, signal) {
      const [namespace] = chainId.split(':')
      // Each concurrent call to the node listens until it ends. Node warns of more than ten.
      setMaxListeners(0, signal)
      if (source !== undefined) {
        if (source !== 'coinbase') throw new HttpError(400, 'onramp', 'Only purchases over coinbase can be listed')
        if (namespace !== 'eip155') throw new HttpError(400, 'chainId', 'Purchases can only be listed for EVM chains')
        const account = evmAddress(address)
        return onramp ? onramp.purchases(account, cursor, signal) : { data: [], next: null }
      }
      const chain = configuredChain(chains, chainId)
      if (namespace === 'eip155') return evm(chain, evmAddress(address), cursor, signal)
      if (namespace === 'solana') return solana(chain, solanaAddress(address), cursor, signal)
      throw new HttpError(400, 'chainId', `The history of ${chainId} is not supported`)
    },
  }
}

/** The checksum is not verified, because it makes no difference to what is read. */
function evmAddress(address: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new HttpError(400, 'address', 'The address is not an EVM address')
  return address.toLowerCase() as `0x${string}`
}

function solanaAddress(address: string): string {
  if (address.length > 44 || fromBase58(address)?.length !== 32)
    throw new HttpError(400, 'address', 'The address is not a Solana address')
  return address
}
