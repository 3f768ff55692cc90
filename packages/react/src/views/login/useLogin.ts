import type { Login, LoginState } from '@latchkey/core'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'

const quiet: LoginState = {
  busy: undefined,
  email: undefined,
  error: undefined,
  mayAskAt: undefined,
  social: undefined,
  farcasterUrl: undefined,
}
const deaf = (): (() => void) => () => undefined

/** Logging in, as a view sees it. */
export interface LoginNow {
  /** `undefined` until its chunk is here. */
  readonly login: Login | undefined
  readonly state: LoginState
  /** It could not be loaded; asking again tries again. */
  readonly lost: boolean
  /** Does something with it: at once when it is here, so that a popup opens within the click. What comes of it is in `state`. */
  ask(deed: (login: Login) => unknown): void
}

/** Logging in: its deeds and its state. */
export function useLogin(): LoginNow {
  const latchkey = useLatchkey()
  const [login, setLogin] = useState<Login>()
  const [lost, setLost] = useState(false)
  const state = useSyncExternalStore(
    login?.state.subscribe ?? deaf,
    () => login?.state.get() ?? quiet,
    () => quiet,
  )

  // Before the first frame, so that what the state says is drawn in it where the chunk is here already.
  useLayoutEffect(() => {
    let left = false
    latchkey.login().then(
      (found) => {
        if (left) return
        setLogin(found)
        setLost(found === undefined)
      },
      () => {
        if (!left) setLost(true)
      },
    )
    return () => {
      left = true
    }
  }, [latchkey])

  const run = (found: Login, deed: (login: Login) => unknown): void => {
    // A rejection is for hosts that drive it themselves; here the state tells.
    void Promise.resolve(deed(found)).catch(() => undefined)
  }
  return {
    login,
    state,
    lost,
    ask(deed) {
      if (login) {
        run(login, deed)
        return
      }
      latchkey.login().then(
        (found) => {
          setLost(found === undefined)
          setLogin(found)
          if (found) run(found, deed)
        },
        () => setLost(true),
      )
    },
  }
}
