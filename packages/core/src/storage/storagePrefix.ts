/** Returns the prefix of all storage keys, which includes the instance ID if there is one. */
export function storagePrefix(id?: string): string {
  return id ? `@latchkey/${id}/` : '@latchkey/'
}
