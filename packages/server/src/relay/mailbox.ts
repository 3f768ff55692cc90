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

/** Who hears of letters. */
export interface Listener {
  /** A letter was put on a topic that is followed, at whichever instance. */
  heard(letter: Letter): void
  /** Letters may have gone by unheard: what waits must be looked at again. */
  missed(): void
}

/** What became of a letter: `known` when the topic holds it already, `full` when there is no room for it. */
export type Kept = 'kept' | 'known' | 'full'

/** Where letters wait until somebody has taken them, or their time is over. Every call rejects with MailboxesAway when the store is away. */
export interface Mailboxes {
  /** Keeps a letter and tells whoever follows its topic. */
  put(letter: Letter): Promise<Kept>
  /** What waits on these topics: topic by topic, and on each in the order of publication. */
  waiting(topics: readonly string[]): Promise<readonly Letter[]>
  /** Somebody has taken it: away with it, unless it is `by` who wrote it. */
  remove(taken: { topic: string; id: string; by: string }): Promise<void>
  /** From the moment it resolves, listeners hear of every letter on these topics. */
  follow(topics: readonly string[]): Promise<void>
  unfollow(topics: readonly string[]): void
  listen(listener: Listener): () => void
  /** Whether the store answers. */
  ready(): boolean
  /** How much waits in this process, where it waits there. */
  held?(): { readonly letters: number; readonly bytes: number }
  /** Forgets what has expired. */
  sweep(): void
  close(): Promise<void>
}

/** What mailboxes may hold. */
export interface MailboxLimits {
  /** Letters of one topic. */
  readonly letters: number
  /** Bytes of all letters, where they live in this process. */
  readonly bytes: number
}

/** The limits of mailboxes that nobody has set. */
export const mailboxLimits: MailboxLimits = { letters: 500, bytes: 268_435_456 }

/** The store did not answer: whether a letter was kept is not known. */
export class MailboxesAway extends Error {
  override readonly name = 'MailboxesAway'
}

/** What a letter takes of the room, with about what stands around it: many small ones fill a process, too. */
const sizeOf = ({ message, attestation = '' }: Letter): number => message.length + attestation.length + 1_024

/** Mailboxes of this process, gone with it. `now` is in epoch milliseconds. */
export function memoryMailboxes({
  now,
  limits = mailboxLimits,
}: {
  now: () => number
  limits?: MailboxLimits
}): Mailboxes {
  const topics = new Map<string, Map<string, Letter>>()
  const listeners = new Set<Listener>()
  let bytes = 0
  let letters = 0

  const drop = (box: Map<string, Letter>, letter: Letter): void => {
    const { topic, id } = letter
    if (!box.delete(id)) return
    bytes -= sizeOf(letter)
    letters -= 1
    if (box.size === 0) topics.delete(topic)
  }

  const live = (topic: string): Map<string, Letter> | undefined => {
    const box = topics.get(topic)
    if (box) for (const letter of box.values()) if (letter.expiresAt <= now()) drop(box, letter)
    return topics.get(topic)
  }

  return {
    async put(letter) {
      const box = live(letter.topic) ?? new Map<string, Letter>()
      if (box.has(letter.id)) return 'known'
      if (box.size >= limits.letters || bytes + sizeOf(letter) > limits.bytes) return 'full'
      box.set(letter.id, letter)
      bytes += sizeOf(letter)
      letters += 1
      topics.set(letter.topic, box)
      for (const { heard } of listeners) heard(letter)
      return 'kept'
    },
    waiting: async (wanted) => wanted.flatMap((topic) => [...(live(topic)?.values() ?? [])]),
    async remove({ topic, id, by }) {
      const box = topics.get(topic)
      const letter = box?.get(id)
      if (box && letter && letter.from !== by) drop(box, letter)
    },
    // In one process everybody hears of everything.
    follow: async () => {},
    unfollow() {},
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready: () => true,
    held: () => ({ letters, bytes }),
    sweep() {
      for (const topic of topics.keys()) live(topic)
    },
    close: async () => {},
  }
}
