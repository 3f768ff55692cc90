import { chainToWire } from '@latchkey/protocol/frame/messages'
import type { Method } from '../frameContext.ts'

/** The network that was used last. */
export const getChainId: Method<'GET_CHAIN_ID'> = async ({ settings }) => ({
  chainId: chainToWire(settings.lastChain()),
})
