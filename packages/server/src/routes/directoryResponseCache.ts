/** Caches the responses to repeated queries, up to a total size. */
export interface DirectoryResponseCache<Value> {
  /** Returns the response to a query, or `undefined` if it is not cached. */
  get(query: string): Value | undefined
  /** Returns whether the query was made before, so that its response is worth caching. If it was not, remembers the query. */
  isRepeated(query: string): boolean
  /** Caches a response that takes up `bytes`. Evicts the least recently used responses if there is no room. */
  set(query: string, response: Value, bytes: number): void
}

/** The maximum number of remembered queries whose responses are not cached. */
const maxSeen = 1_000

/**
 * Creates a cache for at most `maxBytes`. A response should be cached when its query is made a second time, because most searches
 * are never repeated and would displace the lists that every page requests.
 */
export function createDirectoryResponseCache<Value>(maxBytes: number): DirectoryResponseCache<Value> {
  const responses = new Map<string, { readonly response: Value; readonly bytes: number }>()
  const seen = new Set<string>()
  let total = 0

  const dropOldest = (): void => {
    const oldest = responses.entries().next().value
    if (!oldest) return
    responses.delete(oldest[0])
    total -= oldest[1].bytes
  }

  return {
    get(query) {
      const entry = responses.get(query)
      if (!entry) return undefined
      // Inserted again at the end, so that the first entry is the least recently used one.
      responses.delete(query)
      responses.set(query, entry)
      return entry.response
    },
    isRepeated(query) {
      if (seen.delete(query)) return true
      seen.add(query)
      if (seen.size > maxSeen) seen.delete(seen.keys().next().value as string)
      return false
    },
    set(query, response, bytes) {
      if (bytes > maxBytes) return
      total += bytes
      responses.set(query, { response, bytes })
      while (total > maxBytes) dropOldest()
    },
  }
}
