/** The input method of a press. `assistive`: a click without pointer or keyboard events, as screen readers and voice control create. */
export type PressKind = 'mouse' | 'touch' | 'keyboard' | 'assistive'

/** Options of a press guard. */
export interface PressGuardParameters {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    readonly performance: Pick<Performance, 'now'>
  }
  readonly button: HTMLElement
  /** How long everything required has been visible, or `undefined` if it is not. Called at the start and end of a press. */
  readonly armedForMs: () => number | undefined
  /** Called for a press that does not count, which restarts the wait. `leave`: the pointer must leave the button first. */
  readonly strayed: (why: 'early' | 'leave') => void
  readonly pressed: (kind: PressKind) => void
}

/** Minimum distance, in pixels, that a mouse must travel to the button from outside. */
const minTravel = 16
/** The waiting time for touch and pen, in milliseconds. It is longer because they have no path to the button. */
const touchDwellMs = 1_200
/** A key without events for this long is not held down: systems repeat a held key sooner. */
const keyQuietMs = 1_000
/** Focus within this time after Tab counts as moved by Tab. */
const tabMs = 500

/**
 * Listens for deliberate presses of a visible button: trusted events that start and end on the button, from a mouse that moved in from
 * outside after the last press anywhere, from touch after a longer wait, or from a key that was released before, with focus moved by
 * Tab. Returns a function that removes the listeners.
 */
export function guardPress({ window, button, armedForMs, strayed, pressed }: PressGuardParameters): () => void {
  const keyDownAt = new Map<string, number>()
  const shownAt = window.performance.now()
  let outside: { readonly x: number; readonly y: number } | undefined
  let last: { readonly x: number; readonly y: number } | undefined
  let travelled = 0
  let down: { readonly pointer: number; readonly kind: 'mouse' | 'touch' } | undefined
  let released = false
  let keyDown: string | undefined
  let tabbedAt = Number.NEGATIVE_INFINITY
  let keyHandledAt = Number.NEGATIVE_INFINITY
  let isFocusDeliberate = false

  const now = (): number => window.performance.now()
  const isOn = (event: Event): boolean => event.target instanceof Node && button.contains(event.target)
  // Other guarded buttons handle their own presses.
  const isOnAnother = (event: Event): boolean =>
    event.target instanceof Element && event.target.closest('[data-press-guarded]') !== null
  const mustComeIn = (): void => {
    outside = undefined
    travelled = 0
  }

  const onMove = (event: PointerEvent): void => {
    if (!event.isTrusted || event.pointerType !== 'mouse') return
    const here = { x: event.clientX, y: event.clientY }
    if (last) travelled += Math.hypot(here.x - last.x, here.y - last.y)
    last = here
    // Only real pointer movement counts, so restart the distance outside of the button.
    if (!isOn(event) && event.buttons === 0) {
      if (!outside) travelled = 0
      outside = here
    }
  }

  /** The pointer left the window, perhaps for an overlay that can disappear under it, so it must move in again. */
  const onOut = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse' || event.relatedTarget !== null) return
    mustComeIn()
    last = undefined
  }

  const onDown = (event: PointerEvent): void => {
    const earlier = down
    down = undefined
    released = false
    const kind = event.pointerType === 'mouse' ? 'mouse' : 'touch'
    const heldMs = armedForMs()
    // The pointer must have moved to this position: content that moves under a resting pointer is not a movement of the pointer.
    const isHere = last !== undefined && Math.hypot(event.clientX - last.x, event.clientY - last.y) <= 4
    const isFresh = outside !== undefined && isHere && travelled >= minTravel
    // Every press, anywhere, resets the path.
    mustComeIn()
    if (!isOn(event)) {
      if (event.isTrusted && !isOnAnother(event)) strayed('early')
      return
    }
    const isWhole = event.isTrusted && !earlier && event.button === 0 && event.isPrimary
    const isArmed = heldMs !== undefined && (kind === 'mouse' ? isFresh : heldMs >= touchDwellMs)
    if (!isWhole || !isArmed) {
      strayed(kind === 'mouse' ? 'leave' : 'early')
      return
    }
    down = { pointer: event.pointerId, kind }
  }

  const onUp = (event: PointerEvent): void => {
    if (!down) return
    if (event.isTrusted && isOn(event) && event.pointerId === down.pointer) released = true
    else down = undefined
  }

  const abandon = (): void => {
    down = undefined
    released = false
    keyDown = undefined
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const { code } = event
    const at = now()
    const before = keyDownAt.get(code)
    // A first keydown could be a repeat of a key that was held before this screen opened.
    const wasUp = !event.repeat && (before === undefined ? at - shownAt >= keyQuietMs : before === 0)
    keyDownAt.set(code, at)
    if (!event.isTrusted) return
    if (event.key === 'Tab' || event.key.startsWith('Arrow')) {
      if (wasUp || (before === undefined && !event.repeat)) tabbedAt = at
      return
    }
    if (event.key !== 'Enter' && event.key !== ' ') return
    if (!isOn(event)) {
      if (!event.repeat && !isOnAnother(event)) strayed('early')
      return
    }
    // The button is triggered on keyup, and never by its default action.
    event.preventDefault()
    if (keyDown !== undefined || event.repeat) return
    if (wasUp && isFocusDeliberate && armedForMs() !== undefined) keyDown = code
    else strayed('early')
  }

  const onKeyUp = (event: KeyboardEvent): void => {
    keyDownAt.set(event.code, 0)
    if (event.key !== 'Enter' && event.key !== ' ') return
    const began = keyDown
    keyDown = undefined
    if (!isOn(event)) return
    event.preventDefault()
    keyHandledAt = now()
    if (event.isTrusted && began === event.code && armedForMs() !== undefined) pressed('keyboard')
  }

  const onFocus = (): void => {
    isFocusDeliberate = now() - tabbedAt < tabMs
  }
  const onBlur = (): void => {
    isFocusDeliberate = false
    keyDown = undefined
  }

  const onClick = (event: MouseEvent): void => {
    if (!isOn(event)) return
    const { pointerId } = event as PointerEvent
    const began = down
    const ended = released
    down = undefined
    released = false
    if (!event.isTrusted) return
    if (event.detail === 0) {
      // A click that the browser generated from a key despite preventDefault.
      if (now() - keyHandledAt < tabMs) return
      // Not from a pointer, and keys are handled above: assistive technology.
      if (!began && armedForMs() !== undefined) pressed('assistive')
      else strayed('early')
      return
    }
    const isSame = pointerId === undefined || pointerId === began?.pointer
    if (began && ended && isSame && event.detail === 1 && armedForMs() !== undefined) pressed(began.kind)
    else if (began) strayed('early')
  }

  const capture = { capture: true } as const
  button.setAttribute('data-press-guarded', '')
  window.addEventListener('pointermove', onMove, capture)
  window.addEventListener('pointerout', onOut, capture)
  window.addEventListener('pointerdown', onDown, capture)
  window.addEventListener('pointerup', onUp, capture)
  window.addEventListener('pointercancel', abandon, capture)
  window.addEventListener('dragstart', abandon, capture)
  window.addEventListener('blur', abandon)
  window.addEventListener('keydown', onKeyDown, capture)
  window.addEventListener('keyup', onKeyUp, capture)
  window.addEventListener('click', onClick, capture)
  button.addEventListener('focus', onFocus)
  button.addEventListener('blur', onBlur)
  return () => {
    window.removeEventListener('pointermove', onMove, capture)
    window.removeEventListener('pointerout', onOut, capture)
    window.removeEventListener('pointerdown', onDown, capture)
    window.removeEventListener('pointerup', onUp, capture)
    window.removeEventListener('pointercancel', abandon, capture)
    window.removeEventListener('dragstart', abandon, capture)
    window.removeEventListener('blur', abandon)
    window.removeEventListener('keydown', onKeyDown, capture)
    window.removeEventListener('keyup', onKeyUp, capture)
    window.removeEventListener('click', onClick, capture)
    button.removeEventListener('focus', onFocus)
    button.removeEventListener('blur', onBlur)
  }
}
