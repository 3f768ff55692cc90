import type { Pairing, PairingState, Reach } from '@latchkey/core'
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import type { Wallet } from '@latchkey/protocol/http/contract'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { usePairingText } from '../../i18n/usePairingText.ts'

const quiet: PairingState = { status: 'idle', offer: undefined, error: undefined }
const deaf = (): (() => void) => () => undefined

/** The pairing, as a view sees it. */
export interface PairingNow {
  /** `undefined` until its chunk is here. */
  readonly pairing: Pairing | undefined
  readonly state: PairingState
  /** What went wrong: with the pairing, or with loading what pairs. */
  readonly error: LatchkeyError | undefined
  /** How often it was asked for. */
  readonly attempt: number
  /** A new one; or, where it could not be loaded, loads it again. */
  again(): void
}

/** The pairing, offered while this view is there unless `off`. */
export function usePairing({
  wallet,
  by,
  off = false,
}: {
  readonly wallet?: Wallet | undefined
  readonly by: Reach
  readonly off?: boolean
}): PairingNow {
  const latchkey = useLatchkey()
  const text = usePairingText()
  const [pairing, setPairing] = useState<Pairing>()
  const [lost, setLost] = useState(false)
  const [attempt, setAttempt] = useState(1)
  const state = useSyncExternalStore(
    pairing?.state.subscribe ?? deaf,
    () => pairing?.state.get() ?? quiet,
    () => quiet,
  )

  // Before the first frame, so that a code which is there already is drawn in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is what asks again
  useLayoutEffect(() => {
    let left = false
    latchkey.pairing().then(
      (found) => {
        if (left) return
        setPairing(found)
        setLost(!found)
      },
      () => !left && setLost(true),
    )
    return () => {
      left = true
    }
  }, [latchkey, attempt])

  const authenticating = text('pairing.authenticating')
  useEffect(() => {
    if (!off) return pairing?.look({ wallet, by, authenticating })
  }, [pairing, wallet, by, off, authenticating])

  return {
    pairing,
    state,
    error: state.error ?? (lost ? toLatchkeyError(undefined) : undefined),
    attempt,
    again() {
      setLost(false)
      setAttempt((now) => now + 1)
      pairing?.renew()
    },
  }
}
