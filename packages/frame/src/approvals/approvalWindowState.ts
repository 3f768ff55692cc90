/**
 * The state of an approval window. `blocked` means that the window did not report back, most likely because the browser blocked
 * it.
 */
export type ApprovalWindowState = 'none' | 'opening' | 'open' | 'blocked'
