import type { Latchkey } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { useCallback, useState } from 'react'
import { useLatchkey } from './useLatchkey.ts'

/** Return type of `useDisconnect`. */
export interface UseDisconnectReturnType {
  /** Disconnects one namespace, one wallet, or everything. Never rejects: see `error`. */
  readonly disconnect: (params?: Parameters<Latchkey['disconnect']>[0]) => Promise<void>
  /** Whether a call of this hook's `disconnect` is pending. */
  readonly busy: boolean
  /** The error of the last call, if it failed. */
  readonly error: LatchkeyError | undefined
}

/**
 * Disconnects wallets and reports progress and errors.
 *
 * @example
 * const { disconnect, busy } = useDisconnect()
 * <button disabled={busy} onClick={() => disconnect()}>Disconnect</button>
 */
export function useDisconnect(): UseDisconnectReturnType {
  const latchkey = useLatchkey()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<LatchkeyError>()
  const disconnect = useCallback<UseDisconnectReturnType['disconnect']>(
    async (params) => {
      setBusy(true)
      setError(undefined)
      try {
        await latchkey.disconnect(params)
      } catch (cause) {
        setError(toLatchkeyError(cause))
      } finally {
        setBusy(false)
      }
    },
    [latchkey],
  )
  return { disconnect, busy, error }
}
