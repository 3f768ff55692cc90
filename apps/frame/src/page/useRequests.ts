import type { VaultTransfer } from '@latchkey/protocol/http/vault'
import { useEffect, useRef, useState } from 'react'
import type { Desk } from './desk.ts'

/** How often it is looked whether another device asks, while the page is in front. */
const everyMs = 3_000

/** The devices that ask to be let in, as long as the page is in front of somebody. `looked` is told after each further look. */
export function useRequests(desk: Desk, looked: () => void): readonly VaultTransfer[] {
  const [found, setFound] = useState<readonly VaultTransfer[]>([])
  const tell = useRef(looked)
  useEffect(() => {
    tell.current = looked
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
      cancel = desk.environment.clock.after(everyMs, () => void look(true))
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
