import type { PressTarget } from './pressTarget.ts'

/** Detects presses of a button by Enter and Space. */
export interface KeyPress {
  onKeyDown(event: KeyboardEvent): void
  onKeyUp(event: KeyboardEvent): void
  /** The button received the focus. */
  onFocus(): void
  /** The button lost the focus. */
  onBlur(): void
  /** Forgets a press that has started. */
  abandon(): void
  /** Whether a key on the button was handled just now, so that a click can be one that the browser generated despite `preventDefault`. */
  hasJustHandledKey(): boolean
}

/** A key without events for this long is not held down: systems repeat a held key sooner. */
const keyQuietMs = 1_000
/** Focus within this time after Tab counts as moved by Tab. */
const tabMs = 500

/** Creates the detector. Keys that are pressed from now on count, and keys that have been up for a while. */
export function createKeyPress(target: PressTarget): KeyPress {
  /** When a key was last reported as down; 0 once it was released. */
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
      // A first keydown could be a repeat of a key that was held before this screen opened.
      const wasUp = !event.repeat && (before === undefined ? at - shownAt >= keyQuietMs : before === 0)
      keyDownAt.set(code, at)
      if (!event.isTrusted) return
      if (event.key === 'Tab' || event.key.startsWith('Arrow')) {
        if (wasUp || (before === undefined && !event.repeat)) tabbedAt = at
        return
      }
      if (event.key !== 'Enter' && event.key !== ' ') return
      if (!target.isOn(event)) {
        if (!event.repeat && !target.isOnAnother(event)) target.strayed('early')
        return
      }
      // The button is triggered on keyup, and never by its default action.
      event.preventDefault()
      if (keyDown !== undefined || event.repeat) return
      if (wasUp && isFocusDeliberate && target.armedForMs() !== undefined) keyDown = code
      else target.strayed('early')
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
