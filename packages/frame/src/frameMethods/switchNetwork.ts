import { chainFromWire, chainToWire } from '@latchkey/protocol/frame/messages'
import type { Method } from '../frameContext.ts'
import { isSupportedChain } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'

/** Makes a network the active network of its namespace. */
export const switchNetwork: Method<'SWITCH_NETWORK'> = async ({ settings }, { chainId }) => {
  const chain = chainFromWire(chainId)
  if (!chain || !isSupportedChain(chain)) throw new PublicError('This network is not supported')
  settings.setChain(chain)
  return { chainId: chainToWire(chain) }
}
