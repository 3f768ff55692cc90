/** What became of the window. `blocked`: none has come, and most likely the browser let none open. */
export type ApprovalWindowState = 'none' | 'opening' | 'open' | 'blocked'
