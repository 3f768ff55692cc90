import type { Pipe } from '@latchkey/protocol/frame/channel'

/** Where a frame stands in the page, and the pinned way to it. */
export interface FramePlace {
  readonly pipe: Pipe
  /** Puts the frame in front of the visitor, who may put it away again: `dismissed` is told then. */
  show(dismissed: () => void): void
  hide(): void
  remove(): void
}

/** What standing a frame up takes. */
export interface FrameWanted {
  readonly url: string
  /** What assistive technology calls it. */
  readonly title: string
  readonly closeLabel: string
  /** The browser could not load it. */
  failed(): void
}
