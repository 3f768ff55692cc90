// Separate from `constants.ts`, because these are in the initial bundle and would pull in all other constants.

/** The default log level. */
export const defaultLogLevel = 'error'
/** The approximate size of the log buffer, in bytes. */
export const logBufferBytes = 1_000_000
