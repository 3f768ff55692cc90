// Apart from `limits.ts`: these two are on a page before any click, and would bring all the others along.

/** What is logged when the host says nothing. */
export const defaultLogLevel = 'error'
/** How much log is kept, about. */
export const logBufferBytes = 1_000_000
