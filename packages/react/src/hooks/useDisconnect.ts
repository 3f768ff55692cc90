import type { Latchkey } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { useCallback, useState } from 'react'
import { useLatchkey } from './useLatchkey.ts'

/** Return type of `useDisconnect`. */
export interface UseDisconnectReturnType {
  /** Disconnects one namespace, one wallet, or everything. Never rejects: see `error`. */
  readonly disconnect: (params?: Parameters<Latchkey['disconnect']>[0]) => Promise<void>
  readonly busy: boolean
  /** The error of the last call, if it failed. */
  readonly error: LatchkeyError | undefined
}

/** Disconnects wallets and reports progress and errors. */
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
