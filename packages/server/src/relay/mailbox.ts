/** A message that waits for whoever subscribes to its topic. */
export interface Letter {
  /** The SHA-256 of the message, in hex: the same message twice is one. */
  readonly id: string
  readonly topic: string
  readonly message: string
  readonly tag: number
  readonly attestation?: string | undefined
  /** Epoch milliseconds. */
  readonly publishedAt: number
  readonly expiresAt: number
  /** The client that published it, to whom it is never delivered. */
  readonly from: string
}

/** Where letters wait until somebody has taken them, or their time is over. */
export interface Mailboxes {
  /** Keeps a letter and tells every listener of its topic; `full` when the topic holds too many. */
  put(letter: Letter): Promise<'kept' | 'known' | 'full'>
  /** What waits on a topic, in the order of publication. */
  waiting(topic: string): Promise<readonly Letter[]>
  /** Somebody has taken it. */
  remove(topic: string, id: string): Promise<void>
  /** Hears of every letter from now on, whichever instance it was put at. */
  listen(listener: (letter: Letter) => void): () => void
  /** Forgets what has expired. */
  sweep(): Promise<void>
}

/** Mailboxes of this process. `now` is in epoch milliseconds, `most` the letters that one topic may hold. */
export function memoryMailboxes({ now, most }: { now: () => number; most: number }): Mailboxes {
  const topics = new Map<string, Map<string, Letter>>()
  const listeners = new Set<(letter: Letter) => void>()

  const live = (topic: string): Map<string, Letter> => {
    const box = topics.get(topic) ?? new Map<string, Letter>()
    for (const [id, { expiresAt }] of box) if (expiresAt <= now()) box.delete(id)
    if (box.size === 0) topics.delete(topic)
    return box
  }

  return {
    async put(letter) {
      const box = live(letter.topic)
      if (box.has(letter.id)) return 'known'
      if (box.size >= most) return 'full'
      box.set(letter.id, letter)
      topics.set(letter.topic, box)
      for (const listener of listeners) listener(letter)
      return 'kept'
    },
    waiting: async (topic) => [...live(topic).values()],
    async remove(topic, id) {
      const box = topics.get(topic)
      box?.delete(id)
      if (box?.size === 0) topics.delete(topic)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async sweep() {
      for (const topic of [...topics.keys()]) live(topic)
    },
  }
}
