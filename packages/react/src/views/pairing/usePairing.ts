import type { Pairing, PairingState, Reach } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { usePairingTranslations } from './usePairingTranslations.ts'

const initialState: PairingState = { status: 'idle', offer: undefined, error: undefined }
const noopSubscribe = (): (() => void) => () => undefined

/** The return type of `usePairing`. */
export interface UsePairingReturnType {
  /** The pairing API, or `undefined` until its chunk has loaded. */
  readonly pairing: Pairing | undefined
  readonly state: PairingState
  /** The pairing error, or an error if the chunk failed to load. */
  readonly error: LatchkeyError | undefined
  /** The number of the current attempt, starting at 1. */
  readonly attempt: number
  /** Starts a new pairing. If the chunk failed to load, this loads the chunk again. */
  retry(): void
}

/** Requests a pairing while the view is mounted, unless `disabled` is set. Returns the pairing's state. */
export function usePairing({
  wallet,
  by,
  disabled = false,
}: {
  readonly wallet?: Wallet | undefined
  readonly by: Reach
  readonly disabled?: boolean
}): UsePairingReturnType {
  const latchkey = useLatchkey()
  const text = usePairingTranslations()
  const [pairing, setPairing] = useState<Pairing>()
  const [loadFailed, setLoadFailed] = useState(false)
  const [attempt, setAttempt] = useState(1)
  const state = useSyncExternalStore(
    pairing?.state.subscribe ?? noopSubscribe,
    () => pairing?.state.get() ?? initialState,
    () => initialState,
  )

  // A layout effect is used so that, if there already is a QR code, the first paint shows it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useLayoutEffect(() => {
    let unmounted = false
    latchkey.pairing().then(
      (loaded) => {
        if (unmounted) return
        setPairing(loaded)
        setLoadFailed(!loaded)
      },
      () => !unmounted && setLoadFailed(true),
    )
    return () => {
      unmounted = true
    }
  }, [latchkey, attempt])

  const authenticating = text('pairing.authenticating')
  useEffect(() => {
    if (!disabled) return pairing?.look({ wallet, by, authenticating })
  }, [pairing, wallet, by, disabled, authenticating])

  return {
    pairing,
    state,
    error: state.error ?? (loadFailed ? toLatchkeyError(undefined) : undefined),
    attempt,
    retry() {
      setLoadFailed(false)
      setAttempt((now) => now + 1)
      pairing?.renew()
    },
  }
}
