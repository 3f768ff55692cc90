import type { VaultTransfer } from '@latchkey/protocol/http/vault'
import { useEffect, useState } from 'react'
import type { Desk } from './desk.ts'

/** How often it is looked whether another device asks, while the page is in front. */
const everyMs = 4_000

/** The devices that ask to be let in, as long as the page is in front of somebody. */
export function useRequests(desk: Desk): readonly VaultTransfer[] {
  const [found, setFound] = useState<readonly VaultTransfer[]>([])
  useEffect(() => {
    let left = false
    let cancel = (): void => undefined
    const look = async (): Promise<void> => {
      cancel()
      if (document.visibilityState === 'visible') {
        // A look that failed is followed by another one.
        const now = await desk.requests().catch(() => undefined)
        if (left) return
        if (now) setFound(now)
      }
      cancel()
      cancel = desk.machine.clock.after(everyMs, () => void look())
    }
    const back = (): void => void look()
    document.addEventListener('visibilitychange', back)
    void look()
    return () => {
      left = true
      cancel()
      document.removeEventListener('visibilitychange', back)
    }
  }, [desk])
  return found
}
