import type { Pairing, PairingState, Reach } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import type { Wallet } from '@latchkey/protocol/http/contract'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { usePairingTranslations } from '../../i18n/usePairingTranslations.ts'

const initialState: PairingState = { status: 'idle', offer: undefined, error: undefined }
const noopSubscribe = (): (() => void) => () => undefined

/** The pairing, as a view sees it. */
export interface UsePairingReturnType {
  /** `undefined` until its chunk is here. */
  readonly pairing: Pairing | undefined
  readonly state: PairingState
  /** What went wrong: with the pairing, or with loading what pairs. */
  readonly error: LatchkeyError | undefined
  /** How often it was asked for. */
  readonly attempt: number
  /** A new one; or, where it could not be loaded, loads it again. */
  retry(): void
}

/** The pairing, offered while this view is there unless `off`. */
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

  // Before the first frame, so that a code which is there already is drawn in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is what asks again
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
