/** Overwrites secrets that are no longer needed. What the engine copied elsewhere stays out of reach. */
export function wipe(...secrets: readonly (Uint8Array | null | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}
