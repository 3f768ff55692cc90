import type { VaultTransfer } from '@latchkey/protocol/http/vault'
import { useEffect, useRef, useState } from 'react'
import type { WalletController } from './walletController.ts'

/** How often it is looked whether another device asks, while the page is in front. */
const pollIntervalMs = 3_000

/** The devices that ask to be let in, as long as the page is in front of somebody. `looked` is told after each further look. */
export function useDeviceRequests(desk: WalletController, onPoll: () => void): readonly VaultTransfer[] {
  const [found, setFound] = useState<readonly VaultTransfer[]>([])
  const tell = useRef(onPoll)
  useEffect(() => {
    tell.current = onPoll
  })
  useEffect(() => {
    let left = false
    let cancel = (): void => undefined
    const look = async (again: boolean): Promise<void> => {
      cancel()
      if (document.visibilityState === 'visible') {
        // A look that failed is followed by another one.
        const now = await desk.requests().catch(() => undefined)
        if (left) return
        if (now) setFound(now)
        if (again) tell.current()
      }
      cancel()
      cancel = desk.environment.clock.after(pollIntervalMs, () => void look(true))
    }
    const back = (): void => void look(true)
    document.addEventListener('visibilitychange', back)
    void look(false)
    return () => {
      left = true
      cancel()
      document.removeEventListener('visibilitychange', back)
    }
  }, [desk])
  return found
}
