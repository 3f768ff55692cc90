/** The answers of the most recent questions. */
export interface Memo {
  get(key: string): string | undefined
  set(key: string, value: string): void
}

/** A memo that forgets the least recently used answers when it holds more than `limit` characters. */
export function createMemo(limit: number): Memo {
  const kept = new Map<string, string>()
  let size = 0
  return {
    get: (key) => {
      const value = kept.get(key)
      if (value === undefined) return undefined
      kept.delete(key)
      kept.set(key, value)
      return value
    },
    set: (key, value) => {
      const cost = key.length + value.length
      if (cost > limit / 4) return
      const before = kept.get(key)
      if (before !== undefined) size -= key.length + before.length
      kept.delete(key)
      kept.set(key, value)
      size += cost
      for (const [oldest, answer] of kept) {
        if (size <= limit) break
        kept.delete(oldest)
        size -= oldest.length + answer.length
      }
    },
  }
}
