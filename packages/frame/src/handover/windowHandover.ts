import type { ApprovalWindowState } from '../approvalWindow/approvalWindowState.ts'
import type { HandoverResponse } from './handoverMessages.ts'

/** A request that the frame has handed over to a top-level window of its origin. */
export interface WindowHandover {
  state(): ApprovalWindowState
  /** Why the last window could not be served, or `undefined`. */
  failure(): string | undefined
  subscribe(listener: () => void): () => void
  /** Opens a window for the request. Call it in a click handler. A window opened before becomes invalid. */
  open(): void
  /** Resolves when the window starts to execute the request, or has responded. It cannot be cancelled after that. */
  readonly begun: Promise<void>
  readonly answer: Promise<HandoverResponse>
  /** Cancels the request. Resolves to `false` if it is too late; the response then follows. */
  takeBack(): Promise<boolean>
}
