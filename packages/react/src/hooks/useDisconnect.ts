import type { Latchkey } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { useCallback, useState } from 'react'
import { useLatchkey } from './useLatchkey.ts'

/** The return type of `useDisconnect`. */
export interface UseDisconnectReturnType {
  /** Disconnects a namespace, a wallet or all wallets. Never rejects. If the call fails, `error` is set. */
  readonly disconnect: (params?: Parameters<Latchkey['disconnect']>[0]) => Promise<void>
  /** Whether a call to this hook's `disconnect` is pending. */
  readonly busy: boolean
  /** The error from the last call, if the call failed. */
  readonly error: LatchkeyError | undefined
}

/**
 * Returns a function that disconnects wallets, with its progress and error.
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
