/** Keeps the responses to recent queries, up to a total size. */
export interface AnswerCache<Answer> {
  /** Returns the response to a query, if it is kept. */
  get(query: string): Answer | undefined
  /** Returns whether the query has been asked recently, so that its response is worth keeping. Remembers the query. */
  isRepeated(query: string): boolean
  /** Keeps a response that takes up `bytes`. Drops the least recently used responses if there is no room. */
  set(query: string, answer: Answer, bytes: number): void
}

/** The number of remembered queries whose responses are not kept. */
const maxSeen = 1_000

/**
 * Creates a cache for at most `maxBytes`. Queries are kept when they are asked a second time, because most searches are never
 * asked again and would replace the lists that every page asks for.
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
