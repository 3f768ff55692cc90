import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { PopupProvider } from '@latchkey/protocol/frame/messages'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { isWebLink } from '@latchkey/protocol/safeLinks'
import { popupPollMs } from '@latchkey/protocol/specificationConstants'
import * as v from 'valibot'
import type { EmbeddedWalletClient } from '../adapter.ts'
import { abortable, linkedController } from '../lib/abortable.ts'
import type { LoginContext, PopupWindow } from './loginContext.ts'

/** A social login in progress. */
export interface SocialLogin {
  readonly done: Promise<void>
  cancel(): void
}

/** The maximum duration of the login with the provider. */
const atMostMs = 600_000
/** The message that the popup posts to its opener from the frame's origin. */
const result = v.object({ resultUri: v.pipe(v.string(), v.maxLength(16_384)) })

/**
 * Opens the popup, requests the provider's URL and waits for the result. A Latchkey frame waits for the popup itself. This page
 * cannot check such a popup because of COOP. With any other frame, the popup posts the result to its opener.
 */
export function startSocialLogin(
  context: LoginContext,
  { provider, here }: { provider: PopupProvider; here: boolean },
): SocialLogin {
  const { clock, log, navigation, patch, track, records } = context
  const popups = context.window ?? window
  const controller = linkedController(context.signal)
  const { signal } = controller
  let popup: Window | null = null
  let retrieving = false
  const close = () => {
    try {
      popup?.close()
    } catch {
      // A window that COOP has separated from this page closes itself.
    }
  }

  const logIn = async () => {
    const wallet = await context.wallet()
    if (signal.aborted) throw new LatchkeyError('request/aborted')
    // Open the popup in the click handler, before the frame can report whether it opens its own window instead.
    if (!here && !wallet.connectInWindow)
      popup = popups.open(`${wallet.origin}/loading`, 'latchkey-login', 'width=600,height=800,scrollbars=yes')
    await context.awaitFrame(wallet, signal)
    if (wallet.connectInWindow) {
      close()
      patch({ social: { provider, status: 'waiting' } })
      return finish(await wallet.connectInWindow(provider, { signal }))
    }
    if (here) return (await import('./socialRedirect.ts')).redirectToProvider(context, { provider, signal })
    if (!popup) throw failure('social/popup-blocked')
    // Start listening before the popup can post a message.
    const posted = wallet.waitsForPopup ? undefined : resultOf({ wallet, popups, popup, clock, signal })
    posted?.catch(() => {})
    const { uri } = await wallet
      .request('GET_SOCIAL_REDIRECT_URI', { provider }, { signal })
      .catch((cause: unknown) => {
        throw isLatchkeyError(cause, 'frame/failed') ? failure('social/no-redirect', undefined, { cause }) : cause
      })
    if (!isWebLink(uri)) throw failure('social/no-redirect', undefined, { cause: new Error(uri.slice(0, 100)) })
    patch({ social: { provider, status: 'waiting' } })
    if (posted) {
      popup.location.href = uri
      const resultUri = await posted
      close()
      retrieving = true
      patch({ social: { provider, status: 'retrieving' } })
      track({ event: 'SOCIAL_LOGIN_REQUEST_USER_DATA', properties: { provider } })
      refuseError(resultUri)
      await wallet.connectSocial(resultUri, { signal })
    } else {
      await patiently(clock, () => wallet.connectSocial(uri, { signal, quiet: true }))
      retrieving = true
      patch({ social: { provider, status: 'retrieving' } })
      track({ event: 'SOCIAL_LOGIN_REQUEST_USER_DATA', properties: { provider } })
    }
    await finish(provider)
  }
  const finish = async (cameBy: string | undefined) => {
    await context.connectEmbeddedAccount()
    if (cameBy) records.connectedSocial.set(cameBy)
    track({ event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider } })
  }

  const start = async () => {
    patch({ social: { provider, status: here ? 'leaving' : 'opening' } })
    navigation.follow({ type: 'social-started', provider })
    track({ event: 'SOCIAL_LOGIN_STARTED', properties: { provider } })
    try {
      await abortable(
        context.run('social', logIn, () => (signal.aborted ? 'nowhere' : 'both')),
        signal,
      )
      patch({ social: undefined })
    } catch (cause) {
      const error = toLatchkeyError(cause)
      if (signal.aborted) {
        patch({ social: undefined, error: undefined })
        if (!retrieving) track({ event: 'SOCIAL_LOGIN_CANCELED', properties: { provider } })
      } else {
        close()
        patch({ social: { provider, status: 'failed' } })
        track({ event: 'SOCIAL_LOGIN_ERROR', properties: { provider, message: error.message } })
        // Log this error for the developer, because the user cannot fix the configuration.
        if (error.code === 'social/no-redirect')
          log.error(`${provider} may not be configured at the keys origin`, error)
        // Return to the login options if the user closed the popup, or if a different origin has taken over the popup.
        if (error.code === 'request/aborted' || error.code === 'social/untrusted-origin')
          navigation.follow({ type: 'social-cancelled' })
      }
      throw error
    }
  }

  return {
    done: start(),
    cancel() {
      controller.abort()
      close()
    },
  }
}

/** Resolves to the URI that the popup posts. Ignores messages from other windows and messages in other formats. */
function resultOf(params: {
  wallet: EmbeddedWalletClient
  popups: PopupWindow
  popup: Window
  clock: LoginContext['clock']
  signal: AbortSignal
}): Promise<string> {
  const { wallet, popups, popup, clock, signal } = params
  return new Promise((resolve, reject) => {
    let cancel = () => {}
    const done = (outcome: () => void) => {
      cancel()
      popups.removeEventListener('message', onMessage)
      signal.removeEventListener('abort', stop)
      outcome()
    }
    const onMessage = (event: MessageEvent) => {
      // If our popup posts a result from a different origin, a different site was loaded in the popup, so end the login.
      if (event.source !== popup || !v.is(result, event.data)) return
      const { origin } = event
      if (origin !== wallet.origin) return done(() => reject(failure('social/untrusted-origin', { origin })))
      const { resultUri } = event.data
      done(() => resolve(resultUri))
    }
    const stop = () => done(() => reject(new LatchkeyError('request/aborted')))
    const look = () => {
      if (popup.closed) stop()
      else cancel = clock.after(popupPollMs, look)
    }
    cancel = clock.after(popupPollMs, look)
    popups.addEventListener('message', onMessage)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Sends the request again each time it times out after 30 seconds, until the user is done or the maximum time is reached. */
async function patiently(clock: LoginContext['clock'], ask: () => Promise<void>): Promise<void> {
  const until = clock.now() + atMostMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isLatchkeyError(error, 'frame/timeout') || clock.now() >= until) throw error
    }
  }
}

/** Throws if the redirect URL has an `error` parameter, which means that the login was rejected. */
function refuseError(uri: string): void {
  const error = URL.canParse(uri) ? new URL(uri).searchParams.get('error') : null
  if (error !== null) throw failure('frame/failed', { message: 'Something went wrong' })
}
