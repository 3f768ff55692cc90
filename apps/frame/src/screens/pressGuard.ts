/** How somebody pressed. `assistive`: a click without a pointer or a key, as screen readers and voice control make it. */
export type PressKind = 'mouse' | 'touch' | 'keyboard' | 'assistive'

/** What a press needs to count. */
export interface PressGuardParameters {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    readonly performance: Pick<Performance, 'now'>
  }
  readonly button: HTMLElement
  /** Whether everything that has to be seen is seen, and for how long it has been. Asked when a press begins and when it ends. */
  readonly armedForMs: () => number | undefined
  /** Somebody pressed where it does not count: the wait begins anew. `leave`: the pointer has to leave the button first. */
  readonly strayed: (why: 'early' | 'leave') => void
  readonly pressed: (kind: PressKind) => void
}

/** So far, in px, a mouse must have come to the button from outside of it. */
const minTravel = 16
/** Fingers and pens appear where they press, so they wait longer. */
const touchDwellMs = 1_200
/** A key that was not heard for this long is not held down: systems repeat a held key sooner. */
const keyQuietMs = 1_000
/** Focus counts as moved by Tab within this time after it. */
const tabMs = 500

/**
 * Listens for a press that only a person who sees the button makes: begun and ended on it, by the browser's own events, once, with a
 * mouse that came in from outside of the button after the last press anywhere, with a finger after a longer wait, or with a key that was
 * up before and a focus that was moved here by Tab. Answers with what ends it.
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
  // Another guarded button judges its own presses.
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
    // Only where the pointer really goes counts, so it starts anew outside.
    if (!isOn(event) && event.buttons === 0) {
      if (!outside) travelled = 0
      outside = here
    }
  }

  /** It left the window, perhaps for one that lies on top and may go away under it: it has to come in anew. */
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
    // Where it presses it must have been seen to go: a page that moves below a pointer that rests is no move of the pointer.
    const isHere = last !== undefined && Math.hypot(event.clientX - last.x, event.clientY - last.y) <= 4
    const isFresh = outside !== undefined && isHere && travelled >= minTravel
    // Every press, wherever it is, has the next one start from the beginning.
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
    // Unheard until now may mean held since before this screen: then the system repeats it.
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
    // The button acts when the key goes up, and never by itself.
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
      // What a browser makes of a key all the same.
      if (now() - keyHandledAt < tabMs) return
      // Made by no pointer, and keys were taken above: assistive technology.
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
