import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { PopupProvider } from '@latchkey/protocol/frame/messages'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { isWebLink } from '@latchkey/protocol/safeLinks'
import { popupSocialProviders } from '@latchkey/protocol/specificationConstants'
import type { LoginContext } from './loginContext.ts'

/** The query parameter that contains the result when the user is redirected back to the page. */
const backAs = 'result_uri'

/** The part of the `Window` interface that redirects need. */
export interface RedirectWindow {
  open(url: string, target: string): unknown
  readonly location: { readonly href: string }
  readonly history: Pick<History, 'state' | 'replaceState'>
}

/**
 * Redirects the page to the provider. The return URL is appended to `state` after two dashes, which is the format that frames
 * expect. Latchkey frames redirect back only to the page that started the login.
 */
export async function redirectToProvider(
  { wallet: loadWallet, records, awaitFrame }: LoginContext,
  { provider, signal, page = window }: { provider: PopupProvider; signal: AbortSignal; page?: RedirectWindow },
): Promise<never> {
  const wallet = await loadWallet()
  await awaitFrame(wallet, signal)
  const { uri } = await wallet.request('GET_SOCIAL_REDIRECT_URI', { provider }, { signal }).catch((cause: unknown) => {
    throw failure('social/no-redirect', undefined, { cause })
  })
  if (!isWebLink(uri)) throw failure('social/no-redirect', undefined, { cause: new Error(uri.slice(0, 100)) })
  const providerUrl = new URL(uri)
  const state = providerUrl.searchParams.get('state')
  if (!state) throw failure('social/no-redirect')
  const here = new URL(page.location.href)
  here.searchParams.delete(backAs)
  // Remove Telegram's launch parameters, because they are long and Telegram stores them itself. Keep any other fragment, because
  // it can be part of the page's state.
  if (here.hash.includes('tgWebAppData')) here.hash = ''
  providerUrl.searchParams.set('state', `${state}--${encodeURIComponent(here.href)}`)
  records.leavingSocial.set(provider)
  // Redirect the top-level window, because a mini app runs in a frame on a different site.
  page.open(providerUrl.href, '_top')
  return new Promise(() => {})
}

/** Completes the login if the user has just returned from a provider. Does nothing otherwise. */
export async function resumeRedirect(context: LoginContext, page: RedirectWindow = window): Promise<void> {
  const { records, patch, track, navigation } = context
  const provider = popupSocialProviders.find((candidate) => candidate === records.leavingSocial.get())
  const here = new URL(page.location.href)
  const resultUri = here.searchParams.get(backAs)
  if (!provider || resultUri === null) return
  // Remove the result from the URL, because it can be used only once and must not be bookmarked.
  records.leavingSocial.clear()
  here.searchParams.delete(backAs)
  page.history.replaceState(page.history.state, '', here)
  patch({ social: { provider, status: 'retrieving' } })
  navigation.follow({ type: 'social-resumed', provider })
  track({ event: 'SOCIAL_LOGIN_REQUEST_USER_DATA', properties: { provider } })
  try {
    await context.run(
      'social',
      async () => {
        const wallet = await context.wallet()
        await wallet.connectSocial(resultUri)
        await context.connectEmbeddedAccount()
      },
      () => 'both',
    )
    records.connectedSocial.set(provider)
    patch({ social: undefined })
    track({ event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider } })
  } catch (cause) {
    patch({ social: { provider, status: 'failed' } })
    const { message } = toLatchkeyError(cause)
    track({ event: 'SOCIAL_LOGIN_ERROR', properties: { provider, message } })
  }
}
