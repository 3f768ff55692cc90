/**
 * The input method of a press. `assistive` is a click without pointer or keyboard events, as sent by screen readers and voice
 * control.
 */
export type PressKind = 'mouse' | 'touch' | 'keyboard' | 'assistive'

/** A guarded button, as seen by the parts of the guard that handle its pointer and keyboard events. */
export interface PressTarget {
  isOn(event: Event): boolean
  /** Whether the event is on another guarded button, which handles its own presses. */
  isOnAnother(event: Event): boolean
  /**
   * Returns how long all required content has been visible, or `undefined` if a press does not count at the moment. Called at the
   * start and end of a press.
   */
  armedForMs(): number | undefined
  /**
   * Called for a press that does not count, which restarts the wait. `leave` means that the pointer must leave the button first.
   */
  ignored(why: 'early' | 'leave'): void
  pressed(kind: PressKind): void
  /** Returns a monotonic time in milliseconds. */
  now(): number
}
