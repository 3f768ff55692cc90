import type { SocialProvider } from '@latchkey/protocol/http/vault'
import { createStyleAdopter, Notice, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { windowLock } from '../approvalWindow/messages.ts'
import { keepsCookies } from '../away/keepsCookies.ts'
import { handoverKeyOf } from '../handover/seals.ts'
import { systemEnvironment } from '../keys/index.ts'
import { isOpenedByFrame } from '../page/arrival.ts'
import { createDesk } from '../page/desk.ts'
import pageCss from '../page/page.css?inline'
import { sentenceFor } from '../refusal.ts'
import frameCss from '../screens/frame.css?inline'
import { mountScreens } from '../screens/mount.tsx'
import { Sheet } from '../screens/parts.tsx'
import { speak } from '../screens/speech.ts'
import { say } from '../screens/words.ts'
import { createSettings } from '../settings.ts'
import { createVaultClient } from '../vaultClient.ts'
import { ContinuePage } from './ContinuePage.tsx'
import { doQuestion } from './doQuestion.ts'
import { createSuspension } from './suspension.ts'
import { type QuestionDependencies, resumeQuestion, type TakenQuestion, takeQuestion } from './takeQuestion.ts'

/** Where the frame stands. */
const sdkPath = '/sdk'

/**
 * The window in which a frame on a page of another site has its questions answered: at top level this origin has its own cookies and
 * storage, so the sign-in and the keys are here. It goes on only where a document of this origin opened it: anybody may put a question to
 * the server and lead somebody here.
 */
export function startContinueWindow(window: Window & typeof globalThis): void {
  const { document, location, history, navigator } = window
  const key = handoverKeyOf(location.hash.slice(1))
  const suspension = createSuspension(() => window.sessionStorage, Date.now)
  // Only what this very window left behind when it went to a provider: it was opened by the frame then.
  const suspended = key ? undefined : suspension.take()
  const resultUri = new URLSearchParams(location.search).get('result_uri') ?? undefined
  // It counts once, and stands in no history.
  history.replaceState(null, '', location.pathname)
  const show = screenIn(window)
  const notice = (text: string): void => show(<OneNotice text={text} />)
  const nothing = (): void => notice(say('continueNothing'))
  void speak(document, { visitor: navigator.languages }).then(() => {
    document.title = say('continueTitle')
    const take = suspended
      ? (needs: QuestionDependencies) => resumeQuestion(needs, suspended)
      : key && isOpenedByFrame(window, sdkPath) && ((needs: QuestionDependencies) => takeQuestion(needs, key))
    if (window.top !== window || !take) return nothing()
    if (!keepsCookies(window)) return notice(say('continueNoCookies', { host: location.host }))
    const waiting = window.setTimeout(() => notice(say('windowOther')), 1_000)
    // One window to press in at a time, of this kind and of the other.
    return navigator.locks.request(windowLock, async () => {
      window.clearTimeout(waiting)
      const vault = createVaultClient({ fetch: (input, init) => window.fetch(input, init) })
      const environment = systemEnvironment()
      const taken = await take({ vault, environment }).catch((error: unknown) => {
        notice(sentenceFor(error))
      })
      if (taken) await attend(taken)
      else if (taken === undefined && document.querySelector('main') === null) nothing()
    })
  })

  async function attend(taken: TakenQuestion): Promise<void> {
    const returned = suspended && { resultUri }
    const { question } = taken
    await speak(document, { page: question.language, visitor: navigator.languages })
    document.title = say(question.asks.kind === 'connect' ? 'continueTitle' : 'windowTitle')
    const settings = createSettings(new URL(location.href))
    settings.syncTheme(question.theme)
    settings.prefer('eip155', question.accountType)
    const desk = createDesk({ window, embedder: () => question.origin })
    const over = new AbortController()
    const leave = (): void => taken.close()
    window.addEventListener('pagehide', leave)
    const leaveFor = async (provider: SocialProvider): Promise<void> => {
      const uri = await desk.socialUri(provider)
      suspension.keep(taken.suspended())
      // It goes on in the document that the provider leads back to.
      window.removeEventListener('pagehide', leave)
      location.assign(uri)
    }
    // Back from a provider: what stands here may be minutes old, and its question was left to the next document.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload()
    })
    await new Promise<void>((resolve) => {
      const end = (text: string): void => {
        if (over.signal.aborted) return
        over.abort()
        window.removeEventListener('pagehide', leave)
        takeAway()
        desk.approvals.abort()
        window.close()
        // Some browsers let a window close only where a script has its handle.
        notice(text)
        resolve()
      }
      const takeAway = mountScreens(window, {
        approvals: desk.approvals,
        settings,
        operatorCanSign: () => import.meta.env.CUSTODY === 'assisted',
      })
      void taken.gone(over.signal).then(() => {
        taken.close()
        end(say('windowDone'))
      })
      show(
        <ContinuePage
          desk={desk}
          question={question}
          returned={returned}
          leaveFor={leaveFor}
          perform={(opened, social) => doQuestion({ window, desk, settings, taken, opened, social })}
          onAnswer={(answer) =>
            taken.answer(answer).then(
              () => end(say('windowDone')),
              () => end(say('continueLost')),
            )
          }
        />,
      )
    })
  }
}

/** What stands on the page beside the screens of approvals: one thing at a time. */
function screenIn({ document }: Pick<Window, 'document'>): (node: ReactNode) => void {
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
    <Sheet title={say('continueTitle')} footer={undefined}>
      <Notice kind="info">{text}</Notice>
    </Sheet>
  )
}
