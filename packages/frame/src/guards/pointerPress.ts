import { createPointerPath } from './pointerPath.ts'
import type { PressTarget } from './pressTarget.ts'

/** Detects when a button is pressed by mouse, touch or assistive technology. */
export interface PointerPress {
  onMove(event: PointerEvent): void
  onOut(event: PointerEvent): void
  onDown(event: PointerEvent): void
  onUp(event: PointerEvent): void
  onClick(event: MouseEvent): void
  /** Discards a press that has started. */
  abandon(): void
}

/**
 * The waiting time for touch and pen in milliseconds. It is longer than for a mouse, because there is no pointer path that could
 * be checked.
 */
const touchDwellMs = 1_200

/**
 * Creates the detector. `isFromKey` returns whether the browser generated the current click from a key that was already handled.
 */
export function createPointerPress(target: PressTarget, isFromKey: () => boolean): PointerPress {
  const path = createPointerPath()
  let down: { readonly pointer: number; readonly kind: 'mouse' | 'touch' } | undefined
  let released = false

  const abandon = (): void => {
    down = undefined
    released = false
  }

  return {
    onMove: (event) => path.move(event, target.isOn(event)),
    onOut: (event) => path.out(event),

    onDown(event) {
      const earlier = down
      abandon()
      const kind = event.pointerType === 'mouse' ? 'mouse' : 'touch'
      const heldMs = target.armedForMs()
      const isFresh = path.leadsTo(event)
      // Every press resets the path, including presses elsewhere.
      path.reset()
      if (!target.isOn(event)) {
        if (event.isTrusted && !target.isOnAnother(event)) target.ignored('early')
        return
      }
      const isWhole = event.isTrusted && !earlier && event.button === 0 && event.isPrimary
      const isArmed = heldMs !== undefined && (kind === 'mouse' ? isFresh : heldMs >= touchDwellMs)
      if (!isWhole || !isArmed) {
        target.ignored(kind === 'mouse' ? 'leave' : 'early')
        return
      }
      down = { pointer: event.pointerId, kind }
    },

    onUp(event) {
      if (!down) return
      if (event.isTrusted && target.isOn(event) && event.pointerId === down.pointer) released = true
      else down = undefined
    },

    onClick(event) {
      if (!target.isOn(event)) return
      const { pointerId } = event as PointerEvent
      const began = down
      const ended = released
      abandon()
      if (!event.isTrusted) return
      if (event.detail === 0) {
        if (isFromKey()) return
        // The click came from neither a pointer nor a key, so it came from assistive technology.
        if (!began && target.armedForMs() !== undefined) target.pressed('assistive')
        else target.ignored('early')
        return
      }
      const isSame = pointerId === undefined || pointerId === began?.pointer
      if (began && ended && isSame && event.detail === 1 && target.armedForMs() !== undefined)
        target.pressed(began.kind)
      else if (began) target.ignored('early')
    },

    abandon,
  }
}
