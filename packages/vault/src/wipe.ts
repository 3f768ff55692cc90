/** Overwrites secrets that are no longer needed. Copies made by the JavaScript engine cannot be wiped. */
export function wipe(...secrets: readonly (Uint8Array | null | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}
