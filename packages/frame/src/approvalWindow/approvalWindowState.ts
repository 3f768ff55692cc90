/** The state of a window. `blocked`: it did not report back, most likely because the browser blocked it. */
export type ApprovalWindowState = 'none' | 'opening' | 'open' | 'blocked'
