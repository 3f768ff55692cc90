import { popupSocialProviders } from '@latchkey/protocol/constants'
import { toLatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { PopupProvider } from '@latchkey/protocol/frame/messages'
import { isWebLink } from '@latchkey/protocol/links'
import type { LoginContext } from './loginContext.ts'

/** The parameter with which a provider's visitor comes back to the page. */
const backAs = 'result_uri'

/** The page's window, as much as leaving it and coming back takes. */
export interface RedirectWindow {
  open(url: string, target: string): unknown
  readonly location: { readonly href: string }
  readonly history: Pick<History, 'state' | 'replaceState'>
}

/**
 * Takes the whole page to the provider: where it comes back to stands at the end of `state`, behind two dashes, as frames of this wire
 * have always read it. Ours only sends people back to the page that asked.
 */
export async function redirectToProvider(
  { wallet: door, records, frameReady }: LoginContext,
  { provider, signal, page = window }: { provider: PopupProvider; signal: AbortSignal; page?: RedirectWindow },
): Promise<never> {
  const frame = await door()
  await frameReady(frame, signal)
  const { uri } = await frame.request('GET_SOCIAL_REDIRECT_URI', { provider }, { signal }).catch((cause: unknown) => {
    throw failure('social/no-redirect', undefined, { cause })
  })
  if (!isWebLink(uri)) throw failure('social/no-redirect', undefined, { cause: new Error(uri.slice(0, 100)) })
  const there = new URL(uri)
  const state = there.searchParams.get('state')
  if (!state) throw failure('social/no-redirect')
  const here = new URL(page.location.href)
  here.searchParams.delete(backAs)
  // Telegram's own word to the page is long, and it keeps it; any other end of the address may be where the visitor is.
  if (here.hash.includes('tgWebAppData')) here.hash = ''
  there.searchParams.set('state', `${state}--${encodeURIComponent(here.href)}`)
  records.leavingSocial.set(provider)
  // A mini-app stands in somebody's frame: the whole window goes.
  page.open(there.href, '_top')
  return new Promise(() => {})
}

/** Whoever has just come back from a provider is logged in; everybody else is left alone. */
export async function resumeRedirect(desk: LoginContext, page: RedirectWindow = window): Promise<void> {
  const { records, patch, track, modal } = desk
  const provider = popupSocialProviders.find((each) => each === records.leavingSocial.get())
  const here = new URL(page.location.href)
  const resultUri = here.searchParams.get(backAs)
  if (!provider || resultUri === null) return
  // Good for one try; and not to be bookmarked.
  records.leavingSocial.clear()
  here.searchParams.delete(backAs)
  page.history.replaceState(page.history.state, '', here)
  patch({ social: { provider, status: 'retrieving' } })
  modal.open()
  modal.push('ConnectingSocial', { provider })
  track({ event: 'SOCIAL_LOGIN_REQUEST_USER_DATA', properties: { provider } })
  try {
    await desk.run(
      'social',
      async () => {
        const door = await desk.wallet()
        await door.connectSocial(resultUri)
        await desk.enter()
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
