import { createKeyPress } from './keyPress.ts'
import { createPointerPress } from './pointerPress.ts'
import type { PressTarget } from './pressTarget.ts'

/** Options for `guardPress`. */
export interface PressGuardParameters extends Pick<PressTarget, 'armedForMs' | 'ignored' | 'pressed'> {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    readonly performance: Pick<Performance, 'now'>
  }
  readonly button: HTMLElement
}

/**
 * Listens for deliberate presses of a visible button. A press must consist of trusted events that start and end on the button. A
 * mouse must have moved in from outside since the last press anywhere, and touch requires a longer wait. A key must have been
 * released before, and focus must have been moved with Tab or an arrow key. Returns a function that removes the listeners.
 */
export function guardPress({
  window,
  button,
  armedForMs,
  ignored: strayed,
  pressed,
}: PressGuardParameters): () => void {
  const target: PressTarget = {
    isOn: (event) => event.target instanceof Node && button.contains(event.target),
    isOnAnother: (event) => event.target instanceof Element && event.target.closest('[data-press-guarded]') !== null,
    armedForMs,
    ignored: strayed,
    pressed,
    now: () => window.performance.now(),
  }
  const keys = createKeyPress(target)
  const pointer = createPointerPress(target, keys.hasJustHandledKey)
  const abandon = (): void => {
    pointer.abandon()
    keys.abandon()
  }

  const capture = { capture: true } as const
  button.setAttribute('data-press-guarded', '')
  window.addEventListener('pointermove', pointer.onMove, capture)
  window.addEventListener('pointerout', pointer.onOut, capture)
  window.addEventListener('pointerdown', pointer.onDown, capture)
  window.addEventListener('pointerup', pointer.onUp, capture)
  window.addEventListener('pointercancel', abandon, capture)
  window.addEventListener('dragstart', abandon, capture)
  window.addEventListener('blur', abandon)
  window.addEventListener('keydown', keys.onKeyDown, capture)
  window.addEventListener('keyup', keys.onKeyUp, capture)
  window.addEventListener('click', pointer.onClick, capture)
  button.addEventListener('focus', keys.onFocus)
  button.addEventListener('blur', keys.onBlur)
  return () => {
    window.removeEventListener('pointermove', pointer.onMove, capture)
    window.removeEventListener('pointerout', pointer.onOut, capture)
    window.removeEventListener('pointerdown', pointer.onDown, capture)
    window.removeEventListener('pointerup', pointer.onUp, capture)
    window.removeEventListener('pointercancel', abandon, capture)
    window.removeEventListener('dragstart', abandon, capture)
    window.removeEventListener('blur', abandon)
    window.removeEventListener('keydown', keys.onKeyDown, capture)
    window.removeEventListener('keyup', keys.onKeyUp, capture)
    window.removeEventListener('click', pointer.onClick, capture)
    button.removeEventListener('focus', keys.onFocus)
    button.removeEventListener('blur', keys.onBlur)
  }
}
