/** The properties of a pointer event that a path uses. */
export type PathEvent = Pick<
  PointerEvent,
  'isTrusted' | 'pointerType' | 'clientX' | 'clientY' | 'buttons' | 'relatedTarget'
>

/** Tracks the path of the mouse to a button. The path must start outside the button and have a minimum length. */
export interface PointerPath {
  move(event: PathEvent, isOnButton: boolean): void
  /** Called when the pointer leaves an element and moves to another element or out of the window. */
  out(event: PathEvent): void
  /** Whether the mouse has moved from outside the button to the position of this event. */
  leadsTo(event: PathEvent): boolean
  /** Clears the path, so that the mouse must move in from outside again. */
  reset(): void
}

/** The minimum distance that the mouse must travel from outside the button, in pixels. */
const minTravel = 16

/** Creates an empty path. */
export function createPointerPath(): PointerPath {
  let wasOutside = false
  let last: { readonly x: number; readonly y: number } | undefined
  let travelled = 0

  const reset = (): void => {
    wasOutside = false
    travelled = 0
  }

  return {
    move(event, isOnButton) {
      if (!event.isTrusted || event.pointerType !== 'mouse') return
      const here = { x: event.clientX, y: event.clientY }
      if (last) travelled += Math.hypot(here.x - last.x, here.y - last.y)
      last = here
      // The distance starts at the first position outside the button, so that movement on the button before that does not count.
      if (!isOnButton && event.buttons === 0) {
        if (!wasOutside) travelled = 0
        wasOutside = true
      }
    },

    out(event) {
      // The pointer left the window, possibly for an overlay that then disappears under it, so it must move in again.
      if (event.pointerType !== 'mouse' || event.relatedTarget !== null) return
      reset()
      last = undefined
    },

    leadsTo(event) {
      // The pointer must have moved to this position. Content that moves under a resting pointer does not count.
      const isHere = last !== undefined && Math.hypot(event.clientX - last.x, event.clientY - last.y) <= 4
      return wasOutside && isHere && travelled >= minTravel
    },

    reset,
  }
}
