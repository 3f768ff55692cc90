import { besideButton } from '@latchkey/core'
import { type Adopt, AdoptContext, createAdopt, uiStyles } from '@latchkey/ui'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { applyTheme } from '../applyTheme.ts'
import { hearCloseRequests } from './closeRequests.ts'
import { dragSheet } from './drag.ts'
import { around } from './focus.ts'
import css from './Shell.css?inline'
import { lockScroll } from './scrollLock.ts'

/** What the shell needs to know. */
export interface ShellProps {
  readonly open: boolean
  /** In the page's flow, without a backdrop. */
  readonly inline: boolean
  /** The id of the heading that names it. */
  readonly headingId: string
  readonly shaking: boolean
  readonly theme: { readonly mode: 'light' | 'dark' | 'system'; readonly variables: Readonly<Record<string, string>> }
  readonly direction: 'ltr' | 'rtl'
  readonly locale: string
  /** Somebody wants it closed (Escape, backdrop, swipe). Answers whether it is. */
  readonly dismiss: () => boolean
  /** The platform asks to go back (Android). */
  readonly goBack: () => void
  readonly children: ReactNode
}

interface Root {
  readonly shadow: ShadowRoot
  readonly adopt: Adopt
}

// An element name of our own: a host's rules for `div` do not meet it.
const hostName = 'latchkey-modal'

function rootOf(host: HTMLElement): Root {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const adopt = createAdopt(shadow)
  shadow.adoptedStyleSheets = []
  adopt(uiStyles)
  adopt(css)
  return { shadow, adopt }
}

/** The modal's outside: a shadow root of our own in the page, and in it a native dialog (or, inline, a panel). */
export function Shell(props: ShellProps): ReactNode {
  const { open, inline, theme, direction, locale } = props
  const place = useRef<HTMLElement>(null)
  const [root, setRoot] = useState<Root>()

  useLayoutEffect(() => {
    if (inline) {
      if (place.current) setRoot(rootOf(place.current))
      return
    }
    const host = document.createElement(hostName)
    document.body.append(host)
    setRoot(rootOf(host))
    return () => host.remove()
  }, [inline])

  // biome-ignore lint/correctness/useExhaustiveDependencies: when it opens, the buttons that it looks like may have come since
  useLayoutEffect(() => {
    if (!root) return
    const host = root.shadow.host as HTMLElement
    host.lang = locale
    return applyTheme(host, theme, 'theme', (inline && host.parentElement) || besideButton())
  }, [root, theme, locale, inline, open])

  const inside = root && (
    <AdoptContext.Provider value={root.adopt}>
      {inline ? <Panel {...props} /> : <Dialog {...props} shadow={root.shadow} />}
    </AdoptContext.Provider>
  )
  const portal = root && createPortal(inside, root.shadow)
  if (!inline) return portal
  const Place = hostName as 'div'
  return (
    <>
      <Place ref={place as never} dir={direction} />
      {portal}
    </>
  )
}

function Panel({ shaking, direction, headingId, children }: ShellProps): ReactNode {
  return (
    <section className="panel" dir={direction} aria-labelledby={headingId}>
      <div className="card" data-shaking={shaking || undefined}>
        {children}
      </div>
    </section>
  )
}

function Dialog(props: ShellProps & { readonly shadow: ShadowRoot }): ReactNode {
  const { open, shadow, shaking, direction, headingId, dismiss, goBack, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const opener = useRef<Element | null>(null)
  const pressedOutside = useRef(false)
  // What is on screen: the state says closed at once, the picture leaves 150 ms later.
  const [shown, setShown] = useState(open)
  if (open && !shown) setShown(true)
  const now = useRef({ open, dismiss, goBack })
  useLayoutEffect(() => {
    now.current = { open, dismiss, goBack }
  })

  useLayoutEffect(() => {
    const element = dialog.current
    if (!open || !element) return
    opener.current = document.activeElement
    // Before the dialog stands: after it, measuring the page would lay both out twice.
    const unlock = lockScroll()
    if (!element.open) element.showModal()
    const deaf = hearCloseRequests(() => now.current.goBack())
    return () => {
      deaf()
      unlock()
    }
  }, [open])

  // Leaving: the page is given back at once (focus included), the card fades over it.
  useLayoutEffect(() => {
    const element = dialog.current
    if (open || !shown || !element?.open) return
    const left = (): void => {
      element.close()
      returnFocus(opener.current)
      setShown(false)
    }
    const running = card.current?.getAnimations({ subtree: false }) ?? []
    const still = running.filter((one) => one instanceof CSSTransition)
    if (still.length === 0) {
      left()
      return
    }
    let stopped = false
    void Promise.allSettled(still.map((one) => one.finished)).then(() => {
      if (!stopped) left()
    })
    return () => {
      stopped = true
    }
  }, [open, shown])

  useEffect(() => (shown && card.current ? dragSheet(card.current, () => now.current.dismiss()) : undefined), [shown])

  const keys = (event: KeyboardEvent<HTMLDialogElement>): void => {
    if (event.key === 'Escape') {
      // Ours alone: a dialog that the browser may close gives way to the second Escape, whatever its cancel event was told.
      event.preventDefault()
      event.stopPropagation()
      if (!event.nativeEvent.isComposing) dismiss()
      return
    }
    if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey || !dialog.current) return
    const next = around(dialog.current, shadow.activeElement, event.shiftKey)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  const outside = (event: PointerEvent<HTMLDialogElement>): void => {
    pressedOutside.current = event.target === dialog.current
  }

  if (!shown) return null
  const closedby = { closedby: 'none' } as object
  return (
    <dialog
      ref={dialog}
      {...closedby}
      dir={direction}
      tabIndex={-1}
      aria-labelledby={headingId}
      data-state={open ? 'open' : 'closing'}
      onKeyDown={keys}
      onPointerDown={outside}
      onClick={(event) => {
        if (event.target === dialog.current && pressedOutside.current) dismiss()
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        dismiss()
      }}
      onClose={(event) => {
        // A browser that does not know `closedby` closed it over our head: ask, and stand up again where the answer is no.
        if (event.target === dialog.current && now.current.open && !dismiss()) dialog.current?.showModal()
      }}
    >
      <div ref={card} className="card" data-shaking={shaking || undefined}>
        {children}
      </div>
    </dialog>
  )
}

// The browser returns focus to what had it; where that is gone, our button in the page is the next best place.
function returnFocus(opener: Element | null): void {
  const active = document.activeElement
  if (active !== null && active !== document.body) return
  const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector('.latchkey-button')
  if (target instanceof HTMLElement) target.focus()
}
