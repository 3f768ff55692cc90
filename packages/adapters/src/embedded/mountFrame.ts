import { followVisualViewport } from '@latchkey/core/adapter'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { FrameHandle, FrameParameters } from './frameHandle.ts'

// The button is above the frame, because the frame rejects approvals if anything covers it (IntersectionObserver v2).
const css = `
dialog { border: 0; padding: 0; background: none; max-width: none; max-height: none; overflow: visible; }
dialog::backdrop { background: rgb(0 0 0 / 0.5); }
.box { display: flex; flex-direction: column; align-items: flex-end; gap: 8px; width: 360px; height: min(648px, 100dvh - 32px); }
iframe { flex: 1; width: 100%; min-height: 0; border: 0; border-radius: 20px; background: Canvas; }
button {
  width: 40px; height: 40px; border: 0; border-radius: 50%; padding: 0;
  background: Canvas; color: CanvasText; font: 24px/40px system-ui, sans-serif; cursor: pointer;
}
button:focus-visible { outline: 2px solid Highlight; outline-offset: 2px; }
@media (max-width: 430px) {
  dialog { margin: auto 0 0; width: 100%; }
  dialog[open] { display: grid; align-items: end; }
  .box { width: 100%; }
  button { margin-right: 12px; }
  iframe { border-radius: 20px 20px 0 0; }
}
`

/**
 * Mounts an iframe inside a dialog, in a shadow root at the end of the body. The iframe is never moved, because moving an iframe
 * reloads it, and it keeps running while the dialog is closed. Messages are only sent to the frame's exact origin and only
 * accepted from the frame's window and origin.
 */
export function mountFrame({ url, title, closeLabel, failed, loaded }: FrameParameters): FrameHandle {
  const { origin } = new URL(url)
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  // Unlike a style element, a constructed style sheet is not subject to the page's `style-src` directive.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]

  /** Its signal ends the listeners outside the frame's element. */
  const removed = new AbortController()
  const frame = document.createElement('iframe')
  frame.title = title
  // The frame identifies the embedding page by the referrer, which the page's own referrer policy could hide.
  frame.referrerPolicy = 'origin'
  frame.allow = `publickey-credentials-get ${origin}; publickey-credentials-create ${origin}; clipboard-write ${origin}`
  frame.addEventListener('error', () => failed())
  frame.addEventListener('load', loaded)
  const blocked = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    const isOurs = blockedURI === origin || blockedURI.startsWith(`${origin}/`)
    if (isOurs && /^(frame|child|default)-src$/.test(effectiveDirective)) failed(effectiveDirective)
  }
  document.addEventListener('securitypolicyviolation', blocked, removed)
  frame.src = url

  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = '×'
  close.setAttribute('aria-label', closeLabel)

  const box = document.createElement('div')
  box.className = 'box'
  box.append(close, frame)
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', title)
  dialog.setAttribute('closedby', 'none')
  dialog.append(box)
  root.append(dialog)
  document.body.append(host)

  let dismissed: (() => void) | undefined
  let stopFollowing = (): void => {}
  close.addEventListener('click', () => dismissed?.())
  // An approval requires an explicit decision (R2.6), so the button closes the dialog but Escape does not.
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    // Otherwise, the modal would receive the event, because it listens on the document.
    event.stopPropagation()
  })

  const listeners = new Set<(data: unknown) => void>()
  const onMessage = (event: MessageEvent) => {
    if (event.origin !== origin || event.source === null || event.source !== frame.contentWindow) return
    for (const listener of [...listeners]) listener(event.data)
  }
  window.addEventListener('message', onMessage, removed)

  return {
    transport: {
      post(message, transfer = []) {
        const target = frame.contentWindow
        if (!target) throw failure('frame/no-iframe')
        target.postMessage(message, origin, [...transfer])
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    show(onDismiss) {
      dismissed = onDismiss
      if (!dialog.open) {
        dialog.showModal()
        stopFollowing = followVisualViewport(dialog)
      }
      frame.focus()
    },
    hide() {
      dismissed = undefined
      stopFollowing()
      dialog.close()
    },
    reload() {
      frame.src = url
    },
    remove() {
      stopFollowing()
      removed.abort()
      listeners.clear()
      host.remove()
    },
  }
}
