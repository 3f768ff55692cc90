/** Caches the responses to repeated queries, up to a total size. */
export interface AnswerCache<Answer> {
  /** Returns the response to a query, or `undefined` if it is not cached. */
  get(query: string): Answer | undefined
  /** Returns whether the query was made before, so that its response is worth caching. If it was not, remembers the query. */
  isRepeated(query: string): boolean
  /** Caches a response that takes up `bytes`. Evicts the least recently used responses if there is no room. */
  set(query: string, answer: Answer, bytes: number): void
}

/** The maximum number of remembered queries whose responses are not cached. */
const maxSeen = 1_000

/**
 * Creates a cache for at most `maxBytes`. A response should be cached when its query is made a second time, because most searches
 * are never repeated and would displace the lists that every page requests.
 */
export function createAnswerCache<Answer>(maxBytes: number): AnswerCache<Answer> {
  const answers = new Map<string, { readonly answer: Answer; readonly bytes: number }>()
  const seen = new Set<string>()
  let total = 0

  const dropOldest = (): void => {
    const oldest = answers.entries().next().value
    if (!oldest) return
    answers.delete(oldest[0])
    total -= oldest[1].bytes
  }

  return {
    get(query) {
      const entry = answers.get(query)
      if (!entry) return undefined
      // Inserted again at the end, so that the first entry is the least recently used one.
      answers.delete(query)
      answers.set(query, entry)
      return entry.answer
    },
    isRepeated(query) {
      if (seen.delete(query)) return true
      seen.add(query)
      if (seen.size > maxSeen) seen.delete(seen.keys().next().value as string)
      return false
    },
    set(query, answer, bytes) {
      if (bytes > maxBytes) return
      total += bytes
      answers.set(query, { answer, bytes })
      while (total > maxBytes) dropOldest()
    },
  }
}
