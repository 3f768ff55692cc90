import { type RefObject, useEffect, useRef, useState } from 'react'
import type { MessageKey } from '../texts/translations.ts'
import { guardPress } from './pressGuard.ts'
import type { PressKind } from './pressTarget.ts'
import { createVisibilityGuard, type Visibility, type VisibilityGuard } from './visibilityGuard.ts'

/** How long the required content and the buttons must be visible before a press counts, for each risk, in milliseconds. */
export const dwellMs = { normal: 700, unknown: 3_000, high: 1_500 } as const

/** The message shown while a press does not count, for each state of the visibility guard. */
export const visibilityNotes: Readonly<Record<Visibility, MessageKey | undefined>> = {
  armed: undefined,
  waiting: 'waiting',
  scroll: 'approveScroll',
  unread: 'approveToEnd',
  covered: 'covered',
  small: 'small',
  hidden: 'hiddenWindow',
}

/**
 * Tracks whether all required content on the screen around `root`, and each `data-guarded` button, has been visible for `waitMs`.
 */
export function useVisibility(
  root: RefObject<HTMLElement | null>,
  waitMs: number,
): { readonly guard: RefObject<VisibilityGuard | undefined>; readonly visibility: Visibility } {
  const guard = useRef<VisibilityGuard>(undefined)
  const wait = useRef(waitMs)
  const [visibility, setVisibility] = useState<Visibility>('waiting')
  useEffect(() => {
    const screen = root.current?.closest<HTMLElement>('.sheet') ?? root.current
    if (!screen) return
    const started = createVisibilityGuard({ window, screen, dwellMs: wait.current, changed: setVisibility })
    guard.current = started
    setVisibility(started.state())
    return () => {
      guard.current = undefined
      started.stop()
    }
  }, [root])
  useEffect(() => {
    if (waitMs !== wait.current) guard.current?.restart(waitMs)
    wait.current = waitMs
  }, [waitMs])
  return { guard, visibility }
}

/** Options for `usePress`. */
export interface GuardedPress {
  readonly guard: RefObject<VisibilityGuard | undefined>
  readonly isOff: boolean
  readonly pressed: (kind: PressKind) => void
  /** Called with whether the pointer must leave the button before a press counts. */
  readonly mustLeave: (mustLeave: boolean) => void
  /** Identifies the button. A new value resets the detection of presses. */
  readonly key: unknown
}

/** Calls `pressed` when the user deliberately presses a button whose screen has been visible for long enough. */
export function usePress(button: RefObject<HTMLButtonElement | null>, { key, ...pressing }: GuardedPress): void {
  const newest = useRef(pressing)
  useEffect(() => {
    newest.current = pressing
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `key` means another button
  useEffect(() => {
    if (!button.current) return
    return guardPress({
      window,
      button: button.current,
      armedForMs() {
        const { guard, isOff } = newest.current
        return !isOff && guard.current?.check() === 'armed' ? guard.current.heldMs() : undefined
      },
      ignored(why) {
        newest.current.guard.current?.restart()
        newest.current.mustLeave(why === 'leave')
      },
      pressed: (kind) => newest.current.pressed(kind),
    })
  }, [button, key])
}
