import { chainToWire } from '@latchkey/protocol/frame/messages'
import type { Method } from '../frameContext.ts'

/** Returns the chain ID of the network that was used last. */
export const getChainId: Method<'GET_CHAIN_ID'> = async ({ settings }) => ({
  chainId: chainToWire(settings.lastChain()),
})
