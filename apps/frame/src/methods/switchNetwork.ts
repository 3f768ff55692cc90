import { chainFromWire, chainToWire } from '@latchkey/protocol/frame/messages'
import type { Method } from '../house.ts'
import { Refusal } from '../refusal.ts'
import { isServed } from '../settings.ts'

/** Makes a network the active one of its family. */
export const switchNetwork: Method<'SWITCH_NETWORK'> = async ({ settings }, { chainId }) => {
  const chain = chainFromWire(chainId)
  if (!chain || !isServed(chain)) throw new Refusal('This network is not supported')
  settings.use(chain)
  return { chainId: chainToWire(chain) }
}
