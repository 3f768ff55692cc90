// Kept separate from `specificationConstants.ts`, so that the initial bundle does not include all other constants.

/** The default log level. */
export const defaultLogLevel = 'error'
/** The approximate size of the log buffer, in bytes. */
export const logBufferBytes = 1_000_000
