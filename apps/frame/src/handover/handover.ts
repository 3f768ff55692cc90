import type { ApprovalWindowState } from '../approvalWindow/approvalWindowState.ts'
import type { HandoverResponse } from './handoverMessages.ts'

/** One question that a window of this origin answers. */
export interface Handover {
  state(): ApprovalWindowState
  /** Why the last window could not be served; nothing where it could. */
  failure(): string | undefined
  subscribe(listener: () => void): () => void
  /** Opens a window for it, within a press. One that was opened before counts no more. */
  open(): void
  /** Resolves once the window does what was asked, or has its answer: nothing takes it back any more. */
  readonly begun: Promise<void>
  readonly answer: Promise<HandoverResponse>
  /** Takes it back; `false` where that is too late: then the answer comes. */
  takeBack(): Promise<boolean>
}
