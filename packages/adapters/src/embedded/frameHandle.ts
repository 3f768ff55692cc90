import type { Transport } from '@latchkey/protocol/frame/channel'

/** A frame in the page, with a transport that is restricted to the frame's origin. */
export interface FrameHandle {
  /** Posts messages to the frame and delivers messages from it. Only exchanges messages with the frame's origin. */
  readonly transport: Transport
  /** Shows the frame. Calls `dismissed` when the user closes it. */
  show(dismissed: () => void): void
  /** Hides the frame, which stays loaded. */
  hide(): void
  /** Reloads the frame. */
  reload(): void
  /** Removes the frame and its listeners from the page. */
  remove(): void
}

/** Parameters for mounting a frame. */
export interface FrameParameters {
  /** The URL of the frame. Messages are only exchanged with the URL's origin. */
  readonly url: string
  /** The accessible name of the frame. */
  readonly title: string
  /** The accessible name of the button that cancels a request. */
  readonly closeLabel: string
  /** Called when the frame fails to load. `policy` is the page's CSP directive that blocked the frame, if any. */
  failed(policy?: string): void
  /** Called when the browser has loaded a document, which can also be an error page. */
  loaded(): void
}
