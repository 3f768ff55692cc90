import type { Clock } from '@latchkey/core/adapter'
import type { EmbeddedFrame } from './embeddedFrame.ts'

/** The interval at which the end of a popup login is polled, and the delay after the page regains focus. */
const popupMs = 15_000
const backMs = 1_500

/**
 * Resolves when a popup login has finished but its response is still pending. Our frame then needs user input before it opens
 * the wallet, and GET_USER is the request that displays it. Never settles otherwise.
 */
export async function popupLoginFinished({
  frame,
  response,
  wasLoggedIn,
  clock,
}: {
  readonly frame: Pick<EmbeddedFrame, 'mount' | 'isClosed'>
  readonly response: Promise<unknown>
  /** Whether the page stores a login. If a user was already logged in, IS_CONNECTED does not indicate the end of this login. */
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

/** Resolves shortly after the page regains focus, as when a popup closes, or after a timeout. */
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
