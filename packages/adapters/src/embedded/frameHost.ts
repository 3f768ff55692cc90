import type { Transport } from '@latchkey/protocol/frame/channel'

/** Where a frame stands in the page, and the pinned way to it. */
export interface FrameHost {
  readonly pipe: Transport
  /** Puts the frame in front of the visitor, who may put it away again: `dismissed` is told then. */
  show(dismissed: () => void): void
  hide(): void
  /** Loads the frame once more: nothing of ours stood there. */
  reload(): void
  remove(): void
}

/** What standing a frame up takes. */
export interface FrameParameters {
  readonly url: string
  /** What assistive technology calls it. */
  readonly title: string
  readonly closeLabel: string
  /** The browser could not load it; `policy`: the page's own content policy kept it from being tried. */
  failed(policy?: string): void
  /** The browser has loaded what stands at its address, whatever that is: browsers do not tell. */
  loaded(): void
}
