/** Where a client keeps what must outlive the page: keys, sessions and what was handled. Values survive `structuredClone`. */
export interface Records {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  /** Every record whose key begins with `prefix`. */
  list(prefix: string): Promise<readonly (readonly [key: string, value: unknown])[]>
}

/** Records that end with the page: for tests, servers, and browsers that give no storage. */
export function memoryRecords(): Records {
  const all = new Map<string, unknown>()
  return {
    get: async (key) => structuredClone(all.get(key)),
    async set(key, value) {
      all.set(key, structuredClone(value))
    },
    async remove(key) {
      all.delete(key)
    },
    list: async (prefix) =>
      [...all].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key, structuredClone(value)] as const),
  }
}
