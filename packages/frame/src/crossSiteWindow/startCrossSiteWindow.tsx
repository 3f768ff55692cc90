import type { SocialProvider } from '@latchkey/protocol/http/keys'
import { createStyleAdopter, Notice, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import { systemEnvironment } from '@latchkey/vault'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { approvalWindowLock } from '../approvals/approvalWindowChannel.ts'
import { hasCookieAccess } from '../crossSite/hasCookieAccess.ts'
import { parseHandoverKey } from '../handover/handoverCipher.ts'
import { createKeysApiClient } from '../keysApiClient.ts'
import { createPageSettings } from '../pageSettings.ts'
import { Sheet } from '../screens/approvalScreenParts.tsx'
import frameCss from '../screens/frame.css?inline'
import { mountScreens } from '../screens/mountScreens.tsx'
import { setLanguage } from '../texts/pickLanguage.ts'
import { t } from '../texts/translations.ts'
import { isOpenedByFrame } from '../walletPage/navigationSource.ts'
import { pageErrorText } from '../walletPage/pageErrorText.ts'
import pageCss from '../walletPage/walletPage.css?inline'
import { createWalletPageController } from '../walletPage/walletPageController.ts'
import { CrossSitePage } from './CrossSitePage.tsx'
import { type ClaimDependencies, type ClaimedHandover, claimHandover, resumeHandover } from './claimHandover.ts'
import { performHandover } from './performHandover.ts'
import { createSocialRedirectStorage } from './socialRedirectStorage.ts'

/** The path of the frame. */
const sdkPath = '/sdk'

/**
 * Starts the window that handles requests from a frame on a cross-site page. As a top-level window, it has access to this
 * origin's cookies and storage, and therefore to the session and keys. It continues only if a document of this origin opened it,
 * because anyone can post a request to the server and link to this page.
 */
export function startCrossSiteWindow(window: Window & typeof globalThis): void {
  const { document, location, history, navigator } = window
  const key = parseHandoverKey(location.hash.slice(1))
  const redirectStorage = createSocialRedirectStorage(() => window.sessionStorage, Date.now)
  // Resume only a request that this window stored before a redirect to a provider. The frame opened the window for that request.
  const suspended = key ? undefined : redirectStorage.take()
  const resultUri = new URLSearchParams(location.search).get('result_uri') ?? undefined
  // The key is valid only once and must not remain in the history.
  history.replaceState(null, '', location.pathname)
  const show = createRenderer(window)
  const notice = (text: string): void => show(<OneNotice text={text} />)
  const showNothing = (): void => notice(t('continueNothing'))
  void setLanguage(document, { visitor: navigator.languages }).then(() => {
    document.title = t('continueTitle')
    const take = suspended
      ? (dependencies: ClaimDependencies) => resumeHandover(dependencies, suspended)
      : key &&
        isOpenedByFrame(window, sdkPath) &&
        ((dependencies: ClaimDependencies) => claimHandover(dependencies, key))
    if (window.top !== window || !take) return showNothing()
    if (!hasCookieAccess(window)) return notice(t('continueNoCookies', { host: location.host }))
    const waiting = window.setTimeout(() => notice(t('windowOther')), 1_000)
    // Only one window, including approval windows, accepts clicks at a time.
    return navigator.locks.request(approvalWindowLock, async () => {
      window.clearTimeout(waiting)
      const keysClient = createKeysApiClient({ fetch: (input, init) => window.fetch(input, init) })
      const environment = systemEnvironment()
      const claimed = await take({ keysClient, environment }).catch((error: unknown) => {
        notice(pageErrorText(error))
      })
      if (claimed) await runHandover(claimed)
      else if (claimed === undefined && document.querySelector('main') === null) showNothing()
    })
  })

  async function runHandover(claimed: ClaimedHandover): Promise<void> {
    const returned = suspended && { resultUri }
    const { question } = claimed
    await setLanguage(document, { page: question.language, visitor: navigator.languages })
    document.title = t(question.action.kind === 'connect' ? 'continueTitle' : 'windowTitle')
    const settings = createPageSettings(new URL(location.href))
    settings.syncTheme(question.theme)
    settings.setAccountType('eip155', question.accountType)
    const controller = createWalletPageController({ window, embedder: () => question.origin })
    const over = new AbortController()
    const leave = (): void => claimed.close()
    window.addEventListener('pagehide', leave)
    const redirectToProvider = async (provider: SocialProvider): Promise<void> => {
      const uri = await controller.socialUri(provider)
      redirectStorage.save(claimed.suspended())
      // The request is resumed in the document that the provider redirects to.
      window.removeEventListener('pagehide', leave)
      location.assign(uri)
    }
    // When the browser restores this document from the back/forward cache after a redirect, its content can be outdated, and the
    // request belongs to the next document.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload()
    })
    await new Promise<void>((resolve) => {
      const end = (text: string): void => {
        if (over.signal.aborted) return
        over.abort()
        window.removeEventListener('pagehide', leave)
        takeAway()
        controller.approvals.abort()
        window.close()
        // Some browsers ignore `close()` in a window that was opened with `noopener`, so display a message as well.
        notice(text)
        resolve()
      }
      const takeAway = mountScreens(window, {
        approvals: controller.approvals,
        settings,
        operatorCanSign: () => import.meta.env.CUSTODY === 'assisted',
      })
      void claimed.gone(over.signal).then(() => {
        claimed.close()
        end(t('windowDone'))
      })
      show(
        <CrossSitePage
          controller={controller}
          question={question}
          returned={returned}
          leaveFor={redirectToProvider}
          perform={(opened, social) => performHandover({ window, controller, settings, claimed, opened, social })}
          onAnswer={(answer) =>
            claimed.answer(answer).then(
              () => end(t('windowDone')),
              () => end(t('continueLost')),
            )
          }
        />,
      )
    })
  }
}

/** Returns a function that renders the page content next to the approval screens, one element at a time. */
function createRenderer({ document }: Pick<Window, 'document'>): (node: ReactNode) => void {
  const adopt = createStyleAdopter(document)
  for (const sheet of [uiStyles, frameCss, pageCss]) adopt(sheet)
  const place = document.createElement('div')
  document.body.append(place)
  const frame = { headingId: 'title', level: 1 as const, arrived: (heading: HTMLElement) => heading.focus() }
  const root = createRoot(place)
  return (node) =>
    root.render(
      <StyleSheetContext.Provider value={adopt}>
        <ScreenFrameContext.Provider value={frame}>{node}</ScreenFrameContext.Provider>
      </StyleSheetContext.Provider>,
    )
}

function OneNotice({ text }: { readonly text: string }): ReactNode {
  return (
    <Sheet title={t('continueTitle')} footer={undefined}>
      <Notice kind="info">{text}</Notice>
    </Sheet>
  )
}
