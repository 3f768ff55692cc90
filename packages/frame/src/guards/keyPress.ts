import type { PressTarget } from './pressTarget.ts'

/** Detects when a button is pressed with Enter or Space. */
export interface KeyPress {
  onKeyDown(event: KeyboardEvent): void
  onKeyUp(event: KeyboardEvent): void
  /** Called when the button receives focus. */
  onFocus(): void
  /** Called when the button loses focus. */
  onBlur(): void
  /** Discards a press that has started. */
  abandon(): void
  /**
   * Whether a key press on the button was handled just now. The browser can still generate a click from that key press, despite
   * `preventDefault`.
   */
  hasJustHandledKey(): boolean
}

/** A key that causes no events for this long is not being held down, because operating systems repeat a held key sooner. */
const keyQuietMs = 1_000
/** If the button receives focus within this time after Tab or an arrow key, that key counts as the cause. */
const tabMs = 500

/**
 * Creates the detector. A key press counts only if the key is known to have been released before, or if the screen has been open
 * for a while.
 */
export function createKeyPress(target: PressTarget): KeyPress {
  /** When each key was last reported as down, or 0 if it has been released. */
  const keyDownAt = new Map<string, number>()
  const shownAt = target.now()
  let keyDown: string | undefined
  let tabbedAt = Number.NEGATIVE_INFINITY
  let keyHandledAt = Number.NEGATIVE_INFINITY
  let isFocusDeliberate = false

  const abandon = (): void => {
    keyDown = undefined
  }

  return {
    onKeyDown(event) {
      const { code } = event
      const at = target.now()
      const before = keyDownAt.get(code)
      // The first keydown event could be a repeat from a key that was held before this screen opened.
      const wasUp = !event.repeat && (before === undefined ? at - shownAt >= keyQuietMs : before === 0)
      keyDownAt.set(code, at)
      if (!event.isTrusted) return
      if (event.key === 'Tab' || event.key.startsWith('Arrow')) {
        if (wasUp || (before === undefined && !event.repeat)) tabbedAt = at
        return
      }
      if (event.key !== 'Enter' && event.key !== ' ') return
      if (!target.isOn(event)) {
        if (!event.repeat && !target.isOnAnother(event)) target.ignored('early')
        return
      }
      // The button is triggered on keyup, never by its default action.
      event.preventDefault()
      if (keyDown !== undefined || event.repeat) return
      if (wasUp && isFocusDeliberate && target.armedForMs() !== undefined) keyDown = code
      else target.ignored('early')
    },

    onKeyUp(event) {
      keyDownAt.set(event.code, 0)
      if (event.key !== 'Enter' && event.key !== ' ') return
      const began = keyDown
      keyDown = undefined
      if (!target.isOn(event)) return
      event.preventDefault()
      keyHandledAt = target.now()
      if (event.isTrusted && began === event.code && target.armedForMs() !== undefined) target.pressed('keyboard')
    },

    onFocus() {
      isFocusDeliberate = target.now() - tabbedAt < tabMs
    },
    onBlur() {
      isFocusDeliberate = false
      abandon()
    },

    abandon,
    hasJustHandledKey: () => target.now() - keyHandledAt < tabMs,
  }
}
