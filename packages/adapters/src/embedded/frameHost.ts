import type { Transport } from '@latchkey/protocol/frame/channel'

/** A frame in the page, with a message channel pinned to its origin. */
export interface FrameHost {
  /** Posts messages to the frame and delivers those that it sends, restricted to the frame's origin. */
  readonly transport: Transport
  /** Displays the frame. Calls `dismissed` when the user closes it. */
  show(dismissed: () => void): void
  /** Hides the frame. It stays loaded. */
  hide(): void
  /** Reloads the frame, if it did not load as expected. */
  reload(): void
  /** Removes the frame from the page, with all listeners. */
  remove(): void
}

/** Parameters for mounting a frame. */
export interface FrameParameters {
  /** The URL of the frame. Messages are only exchanged with its origin. */
  readonly url: string
  /** The accessible name of the frame. */
  readonly title: string
  /** The accessible name of the button that cancels a request. */
  readonly closeLabel: string
  /** The frame failed to load. `policy` is the page's CSP directive that blocked it, if any. */
  failed(policy?: string): void
  /** The browser has loaded a document, which can be an error page: browsers do not report the difference. */
  loaded(): void
}
