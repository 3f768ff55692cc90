import type { ApprovalWindowState } from '../approvalWindow/approvalWindowState.ts'
import type { HandoverResponse } from './handoverMessages.ts'

/** A request that the frame has handed over to a top-level window of its origin. */
export interface WindowHandover {
  state(): ApprovalWindowState
  /** Returns the reason why the last window could not handle the request, or `undefined`. */
  failure(): string | undefined
  subscribe(listener: () => void): () => void
  /** Opens a window for the request and invalidates any earlier window. Must be called in a click handler. */
  open(): void
  /** Resolves when the window starts to execute the request or has responded. The request cannot be cancelled after that. */
  readonly begun: Promise<void>
  readonly answer: Promise<HandoverResponse>
  /** Cancels the request. Resolves to `false` if it is too late, in which case `answer` still resolves. */
  takeBack(): Promise<boolean>
}
