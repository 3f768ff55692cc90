import { createStyleAdopter, Notice, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import * as v from 'valibot'
import { createApprovals } from '../approvals.ts'
import { Refusal } from '../refusal.ts'
import type { Quote } from '../requests/transaction.ts'
import frameCss from '../screens/frame.css?inline'
import { mountScreens } from '../screens/mount.tsx'
import { Sheet } from '../screens/parts.tsx'
import { speak } from '../screens/speech.ts'
import { say, type Word } from '../screens/words.ts'
import { createSettings } from '../settings.ts'
import type { Subject } from '../subject.ts'
import { channelLine, type FrameMessage, idSchema, newId, openerQuery, windowLine, windowLock } from './messages.ts'

/** A frame that opened this window answers sooner. */
const answerMs = 5_000

/**
 * The window in which one approval is given: a page of its own, which no other page can crop, cover, move or close. It draws what the
 * frame that opened it shows under the one-time id of its address, and says yes or no; the keys stay in the frame. Without such a frame
 * there is nothing to approve.
 */
export function startApprovalWindow(window: Window & typeof globalThis): void {
  const { document, location, history } = window
  const id = location.hash.slice(1)
  const hasOpener = location.search === openerQuery && window.opener !== null
  // It counts once, and stands in no history.
  history.replaceState(null, '', location.pathname)
  const notices = noticesIn(window)
  const say_ = (word: Word): Promise<void> =>
    speak(document, { visitor: window.navigator.languages }).then(() => notices.show(word))
  if (window.top !== window || (window.opener !== null && !hasOpener) || !v.is(idSchema, id)) {
    void say_('windowNothing')
    return
  }

  const from = newId(window.crypto)
  const channel = hasOpener ? windowLine(window, () => window.opener) : channelLine(window, id)
  const asked = new Map<number, { resolve: (quote: Quote) => void; reject: (error: Error) => void }>()
  const shownQuotes = new WeakMap<object, number>()
  let calls = 0
  let finish = (): void => {}
  let release = (): void => {}
  let isShown = false

  const leave = (): void => channel.post({ type: 'closed', from })
  const end = (word: Word): void => {
    finish()
    release()
    window.removeEventListener('pagehide', leave)
    channel.close()
    if (isShown) window.close()
    // Some browsers let a window close only where a script has its handle.
    void say_(word)
  }
  let lost: number | undefined
  const show = async ({ subject, behind, theme, language, operatorCanSign }: FrameMessage & { type: 'show' }) => {
    await speak(document, { page: language, visitor: window.navigator.languages })
    document.title = say('windowTitle')
    const settings = createSettings(new URL(location.href))
    settings.syncTheme(theme)
    const approvals = createApprovals<Subject>()
    const prepare = (): Promise<Quote> =>
      new Promise((resolve, reject) => {
        const call = calls
        calls += 1
        asked.set(call, { resolve, reject })
        channel.post({ type: 'prepare', from, call })
      })
    approvals
      .ask({
        subject: subject.kind === 'calls' ? { ...subject, prepare } : subject,
        perform: (choice: object | undefined) => {
          const prepared = choice && shownQuotes.get(choice)
          channel.post({ type: 'approve', from, ...(prepared !== undefined && { prepared }) })
          // The frame says when it is done; until then the screen says that it is being done.
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
    // The other end is the frame of this very origin; nobody else knows the channel.
    const message = data as FrameMessage
    if (message.type === 'show' && message.to === from && !isShown) {
      isShown = true
      window.clearTimeout(lost)
      void show(message)
    }
    if (message.type === 'prepared') {
      const quote = message.quote as Quote
      shownQuotes.set(quote, message.prepared)
      asked.get(message.call)?.resolve(quote)
    }
    if (message.type === 'failed') asked.get(message.call)?.reject(new Refusal(message.sentence))
    if (message.type === 'gone' && isShown) end('windowDone')
  })
  window.addEventListener('pagehide', leave)

  // One approval window at a time: a second one waits its turn, and shows nothing to press until then.
  const waiting = window.setTimeout(() => void say_('windowOther'), 1_000)
  void window.navigator.locks.request(windowLock, () => {
    window.clearTimeout(waiting)
    channel.post({ type: 'claim', from })
    lost = window.setTimeout(() => end('windowNothing'), answerMs)
    return new Promise<void>((resolve) => {
      release = resolve
    })
  })
}

/** One sentence on a page of its own. */
function noticesIn({ document }: Pick<Window, 'document'>): { show(word: Word): void; hide(): void } {
  const adopt = createStyleAdopter(document)
  const frame = { headingId: 'title', level: 1 as const, arrived: (heading: HTMLElement) => heading.focus() }
  let hide = (): void => {}
  return {
    hide: () => hide(),
    show(word) {
      hide()
      adopt(uiStyles)
      adopt(frameCss)
      document.title = say('windowTitle')
      const place = document.createElement('div')
      document.body.append(place)
      const root = createRoot(place)
      root.render(
        <StyleSheetContext.Provider value={adopt}>
          <ScreenFrameContext.Provider value={frame}>
            <OneNotice word={word} />
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

function OneNotice({ word }: { readonly word: Word }): ReactNode {
  return (
    <Sheet title={say('windowTitle')} footer={undefined}>
      <Notice kind="info">{say(word)}</Notice>
    </Sheet>
  )
}
