import { createStyleAdopter, Notice, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import * as v from 'valibot'
import { createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView, Quote } from '../approvals/approvalViewModel.ts'
import {
  approvalIdSchema,
  approvalWindowLock,
  broadcastWindowChannel,
  type FrameMessage,
  generateId,
  openerQuery,
  postMessageWindowChannel,
} from '../approvals/approvalWindowChannel.ts'
import { createPageSettings } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'
import { Sheet } from '../screens/approvalScreenParts.tsx'
import frameCss from '../screens/frame.css?inline'
import { mountScreens } from '../screens/mountScreens.tsx'
import { setLanguage } from '../texts/pickLanguage.ts'
import { type MessageKey, t } from '../texts/translations.ts'

/** The timeout for the frame's first message, in milliseconds. */
const frameTimeoutMs = 5_000

/**
 * Starts the approval window, a top-level page that other pages cannot crop, cover, move or close. The window displays the
 * approval that the frame sends for the one-time ID in the URL, and tells the frame whether the user approves. The keys stay in
 * the frame. Without the frame, there is nothing to approve.
 */
export function startApprovalWindow(window: Window & typeof globalThis): void {
  const { document, location, history } = window
  const id = location.hash.slice(1)
  const hasOpener = location.search === openerQuery && window.opener !== null
  // The ID is valid only once and must not remain in the history.
  history.replaceState(null, '', location.pathname)
  const notices = createNotices(window)
  const showMessage = (word: MessageKey): Promise<void> =>
    setLanguage(document, { visitor: window.navigator.languages }).then(() => notices.show(word))
  if (window.top !== window || (window.opener !== null && !hasOpener) || !v.is(approvalIdSchema, id)) {
    void showMessage('windowNothing')
    return
  }

  const from = generateId(window.crypto)
  const channel = hasOpener ? postMessageWindowChannel(window, () => window.opener) : broadcastWindowChannel(window, id)
  const pendingQuotes = new Map<number, { resolve: (quote: Quote) => void; reject: (error: Error) => void }>()
  const shownQuotes = new WeakMap<object, number>()
  let calls = 0
  let finish = (): void => {}
  let release = (): void => {}
  let isShown = false

  const leave = (): void => channel.post({ type: 'closed', from })
  const end = (word: MessageKey): void => {
    finish()
    release()
    window.removeEventListener('pagehide', leave)
    channel.close()
    if (isShown) window.close()
    // Some browsers ignore `close()` in a window that was opened with `noopener`, so display a message as well.
    void showMessage(word)
  }
  let lost: number | undefined
  const show = async ({ subject, behind, theme, language, operatorCanSign }: FrameMessage & { type: 'show' }) => {
    await setLanguage(document, { page: language, visitor: window.navigator.languages })
    document.title = t('windowTitle')
    const settings = createPageSettings(new URL(location.href))
    settings.syncTheme(theme)
    const approvals = createApprovalQueue<ApprovalView>()
    const prepare = (): Promise<Quote> =>
      new Promise((resolve, reject) => {
        const call = calls
        calls += 1
        pendingQuotes.set(call, { resolve, reject })
        channel.post({ type: 'prepare', from, call })
      })
    approvals
      .ask({
        subject: subject.kind === 'calls' ? { ...subject, prepare } : subject,
        perform: (choice: object | undefined) => {
          const prepared = choice && shownQuotes.get(choice)
          channel.post({ type: 'approve', from, ...(prepared !== undefined && { prepared }) })
          // This promise never resolves. The screen displays progress until the frame ends the approval.
          return new Promise<never>(() => {})
        },
      })
      .catch(() => {
        channel.post({ type: 'cancel', from })
        end('windowDone')
      })
    notices.hide()
    const takeAway = mountScreens(window, { approvals, settings, behind, operatorCanSign: () => operatorCanSign })
    finish = () => {
      finish = () => {}
      takeAway()
    }
  }

  channel.onMessage((data) => {
    // The message comes from this origin's frame, because no other context has access to the channel.
    const message = data as FrameMessage
    if (message.type === 'show' && message.to === from && !isShown) {
      isShown = true
      window.clearTimeout(lost)
      void show(message)
    }
    if (message.type === 'prepared') {
      const quote = message.quote as Quote
      shownQuotes.set(quote, message.prepared)
      pendingQuotes.get(message.call)?.resolve(quote)
    }
    if (message.type === 'failed') pendingQuotes.get(message.call)?.reject(new PublicError(message.sentence))
    if (message.type === 'gone' && isShown) end('windowDone')
  })
  window.addEventListener('pagehide', leave)

  // Only one approval window is active at a time. A second window waits for the lock and displays no buttons until it acquires
  // the lock.
  const waiting = window.setTimeout(() => void showMessage('windowOther'), 1_000)
  void window.navigator.locks.request(approvalWindowLock, () => {
    window.clearTimeout(waiting)
    channel.post({ type: 'claim', from })
    lost = window.setTimeout(() => end('windowNothing'), frameTimeoutMs)
    return new Promise<void>((resolve) => {
      release = resolve
    })
  })
}

/** Creates the functions that show and hide a message on an otherwise empty page. */
function createNotices({ document }: Pick<Window, 'document'>): { show(word: MessageKey): void; hide(): void } {
  const adopt = createStyleAdopter(document)
  const frame = { headingId: 'title', level: 1 as const, arrived: (heading: HTMLElement) => heading.focus() }
  let hide = (): void => {}
  return {
    hide: () => hide(),
    show(word) {
      hide()
      adopt(uiStyles)
      adopt(frameCss)
      document.title = t('windowTitle')
      const place = document.createElement('div')
      document.body.append(place)
      const root = createRoot(place)
      root.render(
        <StyleSheetContext.Provider value={adopt}>
          <ScreenFrameContext.Provider value={frame}>
            <NoticePage word={word} />
          </ScreenFrameContext.Provider>
        </StyleSheetContext.Provider>,
      )
      hide = () => {
        hide = () => {}
        root.unmount()
        place.remove()
      }
    },
  }
}

function NoticePage({ word }: { readonly word: MessageKey }): ReactNode {
  return (
    <Sheet title={t('windowTitle')} footer={undefined}>
      <Notice kind="info">{t(word)}</Notice>
    </Sheet>
  )
}
