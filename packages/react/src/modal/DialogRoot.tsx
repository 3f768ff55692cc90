import { colorSchemeSource, followVisualViewport } from '@latchkey/core'
import { type AdoptStyles, createStyleAdopter, StyleSheetContext, uiStyles } from '@latchkey/ui'
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
import { watchCloseRequests } from './closeWatcher.ts'
import css from './DialogRoot.css?inline'
import { nextTrappedFocus } from './focusTrap.ts'
import { lockScroll } from './scrollLock.ts'

/** Props for `DialogRoot`. */
export interface DialogRootProps {
  readonly open: boolean
  /** Whether to render a panel in the page's layout instead of a dialog with a backdrop. */
  readonly inline: boolean
  /** The ID of the heading that labels the dialog. */
  readonly headingId: string
  readonly shaking: boolean
  readonly theme: { readonly mode: 'light' | 'dark' | 'system'; readonly variables: Readonly<Record<string, string>> }
  readonly direction: 'ltr' | 'rtl'
  readonly locale: string
  /** Called when the user tries to close the modal with Escape, the backdrop or a swipe. Returns whether the modal closed. */
  readonly dismiss: () => boolean
  /** Called on the platform's back gesture, for example on Android. */
  readonly goBack: () => void
  readonly children: ReactNode
}

interface StyledRoot {
  readonly shadow: ShadowRoot
  readonly adopt: AdoptStyles
}

// A custom element name prevents the host's CSS rules for `div` from matching.
const hostName = 'latchkey-modal'

function createRoot(host: HTMLElement): StyledRoot {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const adopt = createStyleAdopter(shadow)
  shadow.adoptedStyleSheets = []
  adopt(uiStyles)
  adopt(css)
  return { shadow, adopt }
}

/** Renders the modal's container: a native dialog inside a shadow root, or a panel if `inline` is set. */
export function DialogRoot(props: DialogRootProps): ReactNode {
  const { open, inline, theme, direction, locale } = props
  const inlineHost = useRef<HTMLElement>(null)
  const [root, setRoot] = useState<StyledRoot>()

  useLayoutEffect(() => {
    if (inline) {
      if (inlineHost.current) setRoot(createRoot(inlineHost.current))
      return
    }
    const host = document.createElement(hostName)
    document.body.append(host)
    setRoot(createRoot(host))
    return () => host.remove()
  }, [inline])

  // biome-ignore lint/correctness/useExhaustiveDependencies: recompute on open, as buttons may have been added since
  useLayoutEffect(() => {
    if (!root) return
    const host = root.shadow.host as HTMLElement
    // Setting the attribute to the same value would make the browser compute all styles again.
    if (host.lang !== locale) host.lang = locale
    return applyTheme(host, theme, 'theme', (inline && host.parentElement) || colorSchemeSource())
  }, [root, theme, locale, inline, open])

  const content = root && (
    <StyleSheetContext.Provider value={root.adopt}>
      {inline ? <Panel {...props} /> : <Dialog {...props} shadow={root.shadow} />}
    </StyleSheetContext.Provider>
  )
  const portal = root && createPortal(content, root.shadow)
  if (!inline) return portal
  const InlineHost = hostName as 'div'
  return (
    <>
      <InlineHost ref={inlineHost as never} dir={direction} />
      {portal}
    </>
  )
}

function Panel({ shaking, direction, headingId, children }: DialogRootProps): ReactNode {
  return (
    <section className="panel" dir={direction} aria-labelledby={headingId}>
      <div className="card" data-shaking={shaking || undefined}>
        {children}
      </div>
    </section>
  )
}

function Dialog(props: DialogRootProps & { readonly shadow: ShadowRoot }): ReactNode {
  const { open, shadow, shaking, direction, headingId, dismiss, goBack, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const opener = useRef<Element | null>(null)
  const pressedOutside = useRef(false)
  // Whether the dialog is rendered. It stays rendered during the closing animation, after `open` has become false.
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
    // Scrolling is locked before the dialog opens, because measuring the page afterwards would force a second layout.
    const unlock = lockScroll()
    if (!element.open) element.showModal()
    const stopFollowing = followVisualViewport(element)
    const stopWatching = watchCloseRequests(() => now.current.goBack())
    return () => {
      stopWatching()
      stopFollowing()
      unlock()
    }
  }, [open])

  // Closing the dialog is delayed until the card has faded out.
  useLayoutEffect(() => {
    const element = dialog.current
    if (open || !shown || !element?.open) return
    const finish = (): void => {
      element.close()
      returnFocus(opener.current)
      setShown(false)
    }
    const running = card.current?.getAnimations({ subtree: false }) ?? []
    const transitions = running.filter((animation) => animation instanceof CSSTransition)
    if (transitions.length === 0) {
      finish()
      return
    }
    let stopped = false
    void Promise.allSettled(transitions.map((animation) => animation.finished)).then(() => {
      if (!stopped) finish()
    })
    return () => {
      stopped = true
    }
  }, [open, shown])

  useEffect(() => {
    const element = card.current
    if (!shown || !element) return
    let unmounted = false
    let disable = (): void => {}
    // Swiping is loaded once the dialog is displayed. If it does not load, the other ways to close the dialog remain.
    import('./swipeToDismiss.ts').then(
      ({ enableSwipeToDismiss }) => {
        if (!unmounted) disable = enableSwipeToDismiss(element, () => now.current.dismiss())
      },
      () => undefined,
    )
    return () => {
      unmounted = true
      disable()
    }
  }, [shown])

  const onKeyDown = (event: KeyboardEvent<HTMLDialogElement>): void => {
    if (event.key === 'Escape') {
      // A browser can close a dialog on the second Escape even if the cancel event was prevented, so the key is handled here.
      event.preventDefault()
      event.stopPropagation()
      if (!event.nativeEvent.isComposing) dismiss()
      return
    }
    if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey || !dialog.current) return
    const next = nextTrappedFocus(dialog.current, shadow.activeElement, event.shiftKey)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  const onPointerDown = (event: PointerEvent<HTMLDialogElement>): void => {
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
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onClick={(event) => {
        if (event.target === dialog.current && pressedOutside.current) dismiss()
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        dismiss()
      }}
      onClose={(event) => {
        // A browser that does not support `closedby` has closed the dialog. If the view refuses to close, the dialog reopens.
        if (event.target === dialog.current && now.current.open && !dismiss()) dialog.current?.showModal()
      }}
    >
      <div ref={card} className="card" data-shaking={shaking || undefined}>
        {children}
      </div>
    </dialog>
  )
}

// Browsers usually restore focus to the element that opened the dialog. Otherwise, that element is focused here, or Latchkey's
// button on the page if the element has been removed.
function returnFocus(opener: Element | null): void {
  const active = document.activeElement
  if (active !== null && active !== document.body) return
  const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector('.latchkey-button')
  if (target instanceof HTMLElement) target.focus()
}
