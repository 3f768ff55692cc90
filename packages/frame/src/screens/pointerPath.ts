/** The part of a pointer event that a path uses. */
export type PathEvent = Pick<
  PointerEvent,
  'isTrusted' | 'pointerType' | 'clientX' | 'clientY' | 'buttons' | 'relatedTarget'
>

/** The path of the mouse to a button, which must come from outside and cover a distance. */
export interface PointerPath {
  move(event: PathEvent, isOnButton: boolean): void
  /** The pointer left an element, for another one or for outside of the window. */
  out(event: PathEvent): void
  /** Whether the mouse has moved to the position of this event, from outside of the button. */
  leadsTo(event: PathEvent): boolean
  /** The mouse must come in from outside again. */
  reset(): void
}

/** Minimum distance, in pixels, that a mouse must travel to the button from outside. */
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
      // Only real pointer movement counts, so restart the distance outside of the button.
      if (!isOnButton && event.buttons === 0) {
        if (!wasOutside) travelled = 0
        wasOutside = true
      }
    },

    out(event) {
      // The pointer left the window, perhaps for an overlay that can disappear under it, so it must move in again.
      if (event.pointerType !== 'mouse' || event.relatedTarget !== null) return
      reset()
      last = undefined
    },

    leadsTo(event) {
      // The pointer must have moved to this position: content that moves under a resting pointer is not a movement of the pointer.
      const isHere = last !== undefined && Math.hypot(event.clientX - last.x, event.clientY - last.y) <= 4
      return wasOutside && isHere && travelled >= minTravel
    },

    reset,
  }
}
