import type { KeysTransfer } from '@latchkey/protocol/http/keys'
import { useEffect, useRef, useState } from 'react'
import type { WalletPageController } from './walletPageController.ts'

/** The interval at which other devices' requests are polled while the page is visible, in milliseconds. */
const pollIntervalMs = 3_000

/**
 * Returns other devices' requests. Polls while the page is visible, and calls `onPoll` after each poll except the first.
 */
export function useDeviceRequests(controller: WalletPageController, onPoll: () => void): readonly KeysTransfer[] {
  const [found, setFound] = useState<readonly KeysTransfer[]>([])
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
        // A failed poll is retried after the next interval.
        const now = await controller.requests().catch(() => undefined)
        if (left) return
        if (now) setFound(now)
        if (again) tell.current()
      }
      cancel()
      cancel = controller.environment.clock.after(pollIntervalMs, () => void look(true))
    }
    const back = (): void => void look(true)
    document.addEventListener('visibilitychange', back)
    void look(false)
    return () => {
      left = true
      cancel()
      document.removeEventListener('visibilitychange', back)
    }
  }, [controller])
  return found
}
