import type { Clock } from '@latchkey/core/adapter'
import type { EmbeddedFrame } from './embeddedFrame.ts'

/** How often to check whether a popup login has finished. */
const popupMs = 15_000
/** How long to wait before checking again once the page has regained focus. */
const backMs = 1_500

/**
 * Resolves when a popup login has finished but its response is still pending. In that case, our frame needs user input before it
 * can open the wallet, and the GET_USER request shows the frame. Otherwise, the promise never settles.
 */
export async function popupLoginFinished({
  frame,
  response,
  wasLoggedIn,
  clock,
}: {
  readonly frame: Pick<EmbeddedFrame, 'mount' | 'isClosed'>
  readonly response: Promise<unknown>
  /** Whether the page has stored a login. If a user was already logged in, IS_CONNECTED does not mean that this login is done. */
  readonly wasLoggedIn: boolean
  readonly clock: Clock
}): Promise<void> {
  const { channel } = frame.mount()
  const isConnected = () =>
    channel.ask('IS_CONNECTED', undefined).then(
      (result) => result.isConnected,
      () => false,
    )
  let hasResponse = false
  response.then(
    () => (hasResponse = true),
    () => (hasResponse = true),
  )
  if (wasLoggedIn && (await isConnected())) return new Promise(() => {})
  for (;;) {
    await userReturned(clock)
    if (hasResponse || frame.isClosed()) return new Promise(() => {})
    if (await isConnected()) return
  }
}

/** Resolves shortly after the page regains focus, as it does when a popup closes, or after a timeout. */
function userReturned(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const page = typeof window === 'undefined' ? undefined : window
    const focused = () => {
      done()
      clock.after(backMs, resolve)
    }
    const cancel = clock.after(popupMs, () => {
      done()
      resolve()
    })
    const done = () => {
      cancel()
      page?.removeEventListener('focus', focused)
    }
    page?.addEventListener('focus', focused)
  })
}
