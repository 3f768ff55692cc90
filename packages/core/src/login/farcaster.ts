import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { abortable, linkedController } from '../lib/abortable.ts'
import type { LoginContext } from './loginContext.ts'
import type { SocialLogin } from './socialLogin.ts'

/** Starts a Farcaster login, which displays the link, waits for the user's approval and connects. */
export function startFarcasterLogin(context: LoginContext): SocialLogin {
  const { navigation, patch, track, records, store } = context
  const provider = 'farcaster'
  const controller = linkedController(context.signal)
  const { signal } = controller
  let arrived = false

  const logIn = async () => {
    const wallet = await context.wallet()
    await context.awaitFrame(wallet, signal)
    let cameBy: string | undefined = provider
    if (wallet.connectInWindow) cameBy = await wallet.connectInWindow(provider, { signal })
    else {
      // Keep the link when the modal is closed, so that reopening the modal displays the same link.
      const url = store.get().farcasterUrl ?? (await wallet.request('GET_FARCASTER_URI', undefined, { signal })).url
      patch({ farcasterUrl: url })
      const { userName } = await wallet.request('CONNECT_FARCASTER', undefined, { signal })
      records.socialUsername.set(userName)
    }
    arrived = true
    track({ event: 'SOCIAL_LOGIN_REQUEST_USER_DATA', properties: { provider } })
    await context.connectEmbeddedAccount()
    if (cameBy) records.connectedSocial.set(cameBy)
    track({ event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider } })
  }

  const start = async () => {
    navigation.follow({ type: 'farcaster-started' })
    track({ event: 'SOCIAL_LOGIN_STARTED', properties: { provider } })
    try {
      await abortable(
        context.run('farcaster', logIn, () => (signal.aborted ? 'nowhere' : 'toast')),
        signal,
      )
      patch({ farcasterUrl: undefined })
    } catch (cause) {
      const error = toLatchkeyError(cause)
      patch({ farcasterUrl: undefined, error: undefined })
      if (!signal.aborted) {
        track({ event: 'SOCIAL_LOGIN_ERROR', properties: { provider, message: error.message } })
        navigation.follow({ type: 'farcaster-failed' })
      } else if (!arrived && !context.signal.aborted) {
        track({ event: 'SOCIAL_LOGIN_CANCELED', properties: { provider } })
        // Reload the frame, so that it abandons the pending login.
        const wallet = await context.wallet()
        wallet.notify('RELOAD', undefined)
      }
      throw error
    }
  }

  return { done: start(), cancel: () => controller.abort() }
}
