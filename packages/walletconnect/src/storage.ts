/** The persistent storage for a client's keys, sessions and handled request IDs. Values must be structured-cloneable. */
export interface KeyValueStorage {
  /** Resolves to the value stored under `key`, or to `undefined` if there is none. */
  get(key: string): Promise<unknown>
  /** Stores `value` under `key` and replaces any earlier value. */
  set(key: string, value: unknown): Promise<void>
  /** Removes the value stored under `key`, if any. */
  remove(key: string): Promise<void>
  /** Resolves to all entries whose key starts with `prefix`. */
  list(prefix: string): Promise<readonly (readonly [key: string, value: unknown])[]>
}

/**
 * Creates in-memory storage for tests, servers, and browsers that deny storage access.
 *
 * @example
 * const client = await createClient({ relay, metadata, storage: memoryStorage() })
 */
export function memoryStorage(): KeyValueStorage {
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
