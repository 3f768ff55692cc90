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

/** What became of a letter: `known` when the topic holds it already, `full` when it has no room, `heavy` when too much of one owner waits. */
export type Kept = 'kept' | 'known' | 'full' | 'heavy'

/** What is known of a letter before it is read. `size` is what it takes of the room. */
export interface Entry extends Pick<Letter, 'id' | 'topic' | 'from'> {
  readonly size: number
}

/** Where letters wait until somebody has taken them, or their time is over. Every call rejects with MailboxesAway when the store is away. */
export interface Mailboxes {
  /** Keeps a letter and tells whoever follows its topic. `owner` is whose room it takes: its writer's where nothing is said. */
  put(letter: Letter, owner?: string): Promise<Kept>
  /** What waits on these topics: topic by topic, and on each in the order of publication. Only what `isWanted` is read. */
  waiting(topics: readonly string[], isWanted?: (entry: Entry) => boolean): Promise<readonly Letter[]>
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
  /** Bytes of one topic. */
  readonly topicBytes: number
  /** Bytes of one owner, where they live in this process. */
  readonly ownerBytes: number
  /** Bytes of all letters, where they live in this process. */
  readonly bytes: number
}

/** The limits of mailboxes that nobody has set. */
export const mailboxLimits: MailboxLimits = {
  letters: 500,
  topicBytes: 8_388_608,
  ownerBytes: 33_554_432,
  bytes: 268_435_456,
}

/** The store did not answer: whether a letter was kept is not known. */
export class MailboxesAway extends Error {
  override readonly name = 'MailboxesAway'
}

/** What a letter takes of the room: its bytes, with about what stands around it: many small ones fill a process, too. */
export const sizeOf = ({ message, attestation = '' }: Pick<Letter, 'message' | 'attestation'>): number =>
  message.length + attestation.length + 1_024

interface Held {
  readonly letter: Letter
  readonly owner: string
}

/** Mailboxes of this process, gone with it. `now` is in epoch milliseconds. */
export function memoryMailboxes({
  now,
  limits = mailboxLimits,
}: {
  now: () => number
  limits?: MailboxLimits
}): Mailboxes {
  const topics = new Map<string, Map<string, Held>>()
  const owners = new Map<string, number>()
  const listeners = new Set<Listener>()
  let bytes = 0
  let letters = 0

  const drop = (box: Map<string, Held>, { letter, owner }: Held): void => {
    const { topic, id } = letter
    if (!box.delete(id)) return
    bytes -= sizeOf(letter)
    letters -= 1
    const left = (owners.get(owner) ?? 0) - sizeOf(letter)
    if (left > 0) owners.set(owner, left)
    else owners.delete(owner)
    if (box.size === 0) topics.delete(topic)
  }

  const live = (topic: string): Map<string, Held> | undefined => {
    const box = topics.get(topic)
    if (box) for (const held of box.values()) if (held.letter.expiresAt <= now()) drop(box, held)
    return topics.get(topic)
  }

  return {
    async put(letter, owner = letter.from) {
      const box = live(letter.topic) ?? new Map<string, Held>()
      if (box.has(letter.id)) return 'known'
      const size = sizeOf(letter)
      let here = size
      for (const held of box.values()) here += sizeOf(held.letter)
      if (box.size >= limits.letters || here > limits.topicBytes) return 'full'
      // Nobody may hold more than what is still free for everybody: the fuller it is, the lighter one must be, and whoever
      // has nothing here finds room when the heavy ones find none.
      const owned = (owners.get(owner) ?? 0) + size
      if (owned > Math.min(limits.ownerBytes, limits.bytes - bytes)) return 'heavy'
      box.set(letter.id, { letter, owner })
      owners.set(owner, owned)
      bytes += size
      letters += 1
      topics.set(letter.topic, box)
      for (const { heard } of listeners) heard(letter)
      return 'kept'
    },
    waiting: async (wanted, isWanted = () => true) =>
      wanted.flatMap((topic) => {
        const waits = [...(live(topic)?.values() ?? [])].map(({ letter }) => letter)
        return waits.filter((letter) => isWanted({ ...letter, size: sizeOf(letter) }))
      }),
    async remove({ topic, id, by }) {
      const box = topics.get(topic)
      const held = box?.get(id)
      if (box && held && held.letter.from !== by) drop(box, held)
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
