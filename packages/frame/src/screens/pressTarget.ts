/** The input method of a press. `assistive`: a click without pointer or keyboard events, as screen readers and voice control create. */
export type PressKind = 'mouse' | 'touch' | 'keyboard' | 'assistive'

/** A guarded button, for the parts of the guard that handle its pointer and keyboard events. */
export interface PressTarget {
  isOn(event: Event): boolean
  /** Whether the event is on another guarded button, which handles its own presses. */
  isOnAnother(event: Event): boolean
  /** How long everything required has been visible, or `undefined` if it is not. Called at the start and end of a press. */
  armedForMs(): number | undefined
  /** Called for a press that does not count, which restarts the wait. `leave`: the pointer must leave the button first. */
  strayed(why: 'early' | 'leave'): void
  pressed(kind: PressKind): void
  /** A monotonic time in milliseconds. */
  now(): number
}
