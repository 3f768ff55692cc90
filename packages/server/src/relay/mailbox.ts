import type { AddressGroup } from '../clientAddress.ts'
import { createHeldBytes, type HeldBytes } from '../heldBytes.ts'
import { createUsage, type Owner, type Usage, type UsageEntry } from './usage.ts'

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

/** Whose room a letter takes. */
export interface LetterOwner {
  /** The address groups of its writer, the widest first. */
  readonly groups: readonly AddressGroup[]
  readonly client: string
  /** A registered project. */
  readonly project: string | undefined
}

/** What became of a letter: `known` when the topic holds it already, `full` when it has no room, `heavy` when too much of one owner waits. */
export type Kept = 'kept' | 'known' | 'full' | 'heavy'

/** What is known of a letter before it is read. `size` is what it takes of the room. */
export interface Entry extends Pick<Letter, 'id' | 'topic' | 'from'> {
  readonly size: number
}

/** Where letters wait until somebody has taken them, or their time is over. Every call rejects with MailboxesAway when the store is away. */
export interface Mailboxes {
  /**
   * Keeps a letter and tells whoever follows its topic. `owner` is whose room it takes: its writer's where nothing is said.
   * Where all together have no room left, the largest letter of the heaviest owner goes, if that is heavier than this one.
   */
  put(letter: Letter, owner?: LetterOwner): Promise<Kept>
  /** What waits on these topics: topic by topic, and on each in the order of publication. Only what `isWanted` is read. */
  waiting(topics: readonly string[], isWanted?: (entry: Entry) => boolean): Promise<readonly Letter[]>
  /** Somebody has taken it: away with it, unless it is `by` who wrote it. */
  remove(taken: { topic: string; id: string; by: string }): Promise<void>
  /** From the moment it resolves, listeners hear of every letter on these topics. */
  follow(topics: readonly string[]): Promise<void>
  unfollow(topics: readonly string[]): void
  listen(listener: Listener): () => void
  /** Whether the store was there when it was last heard of. */
  ready(): boolean
  /** Whether the store has no memory left, though its quotas are not used up. */
  isOutOfMemory?(): boolean
  /** Asks the store; rejects where it does not answer. */
  ping(): Promise<void>
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
  /** Bytes of all letters, those of one project, of one address and of one client; 0 for a project is no limit. */
  readonly bytes: {
    readonly process: number
    readonly project: number
    readonly address: number
    readonly client: number
  }
}

/** The limits of mailboxes that nobody has set. */
export const mailboxLimits: MailboxLimits = {
  letters: 500,
  topicBytes: 8_388_608,
  bytes: { process: 100_663_296, project: 67_108_864, address: 33_554_432, client: 16_777_216 },
}

/** The store did not answer: whether a letter was kept is not known. */
export class MailboxesAway extends Error {
  override readonly name = 'MailboxesAway'
}

/** What a letter takes of the room: its bytes, with about what stands around it: many small ones fill a process, too. */
export const sizeOf = ({ message, attestation = '' }: Pick<Letter, 'message' | 'attestation'>): number =>
  message.length + attestation.length + 1_024

/** The share of a client whose address is not known: as of a network of IPv6. */
const unknownShare = 8

/** The owners of a letter, the widest first, with what each may hold. */
export function ownersOf(
  { groups, client }: LetterOwner,
  { bytes }: Pick<MailboxLimits, 'bytes'>,
): readonly (Owner & { readonly kind: 'group' | 'client' })[] {
  return [
    ...groups.map(({ name, share }) => ({ kind: 'group' as const, name, share, max: bytes.address * share })),
    { kind: 'client', name: client, share: groups.length > 0 ? 1 : unknownShare, max: bytes.client },
  ]
}

interface Held {
  readonly letter: Letter
  readonly groups: readonly AddressGroup[]
  readonly entries: readonly UsageEntry<Held>[]
}

/** Mailboxes of this process, gone with it. `now` is in epoch milliseconds. */
export function memoryMailboxes({
  now,
  limits = mailboxLimits,
  heldBytes = createHeldBytes(Number.POSITIVE_INFINITY),
}: {
  now: () => number
  limits?: MailboxLimits
  /** [without a limit] What the addresses of writers hold, of every kind. */
  heldBytes?: HeldBytes
}): Mailboxes {
  const topics = new Map<string, Map<string, Held>>()
  const usage = createUsage<Held>({ max: limits.bytes.process })
  const projects = new Map<string, Usage<Held>>()
  const listeners = new Set<Listener>()
  let letters = 0
  let entered = 0

  const drop = ({ letter, groups, entries }: Held): void => {
    const { topic, id } = letter
    const box = topics.get(topic)
    if (!box?.delete(id)) return
    heldBytes.add(groups, -sizeOf(letter))
    letters -= 1
    for (const entry of entries) entry.leave()
    if (box.size === 0) topics.delete(topic)
  }

  const live = (topic: string): Map<string, Held> | undefined => {
    const box = topics.get(topic)
    if (box) for (const held of box.values()) if (held.letter.expiresAt <= now()) drop(held)
    return topics.get(topic)
  }

  let sweptAt = now()
  /** Looks through everything, at most once a second: whoever asks for room must not keep this process busy. */
  const forgetExpired = (): void => {
    if (Math.abs(now() - sweptAt) < 1_000) return
    sweptAt = now()
    for (const topic of topics.keys()) live(topic)
  }

  const projectOf = (project: string): Usage<Held> => {
    const found = projects.get(project) ?? createUsage<Held>({ max: limits.bytes.project })
    projects.set(project, found)
    return found
  }

  return {
    async put(letter, owner = { groups: [], client: letter.from, project: undefined }) {
      const before = live(letter.topic)
      if (before?.has(letter.id)) return 'known'
      const size = sizeOf(letter)
      let here = size
      for (const held of before?.values() ?? []) here += sizeOf(held.letter)
      if ((before?.size ?? 0) >= limits.letters || here > limits.topicBytes) return 'full'
      entered += 1
      const path = [...ownersOf(owner, limits), { name: `${entered}`, share: 1, max: Number.POSITIVE_INFINITY }]
      const entries: UsageEntry<Held>[] = []
      const { groups } = owner
      const held: Held = { letter, groups, entries }
      const isIn = (found: Usage<Held>): boolean => {
        const entry = found.enter(path, held)
        entries.push(entry)
        if (entry.exceededBy(size).length > 0) forgetExpired()
        for (let over = entry.exceededBy(size); over.length > 0; over = entry.exceededBy(size)) {
          const heaviest = over.length === 1 && over[0] === 0 && entry.isLighter(0, size) && entry.heaviestAt(0)
          if (!heaviest) return false
          drop(heaviest)
        }
        entry.add(size)
        return true
      }
      if (heldBytes.exceeded(groups, size) >= 0) forgetExpired()
      if (heldBytes.exceeded(groups, size) >= 0) return 'heavy'
      const hasProject = owner.project !== undefined && limits.bytes.project > 0
      if (!isIn(usage) || (hasProject && !isIn(projectOf(owner.project as string)))) {
        for (const entry of entries) entry.leave()
        return 'heavy'
      }
      // Asked for again: what made room may have been the last on this topic.
      const box = topics.get(letter.topic) ?? new Map<string, Held>()
      box.set(letter.id, held)
      heldBytes.add(groups, size)
      letters += 1
      topics.set(letter.topic, box)
      for (const { heard } of listeners) heard(letter)
      return 'kept'
    },
    async waiting(wanted, isWanted = () => true) {
      const found: Letter[] = []
      for (const name of wanted)
        for (const { letter } of live(name)?.values() ?? []) {
          const { id, topic, from } = letter
          if (isWanted({ id, topic, from, size: sizeOf(letter) })) found.push(letter)
        }
      return found
    },
    async remove({ topic, id, by }) {
      const held = topics.get(topic)?.get(id)
      if (held && held.letter.from !== by) drop(held)
    },
    // In one process everybody hears of everything.
    follow: async () => {},
    unfollow() {},
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready: () => true,
    ping: async () => {},
    held: () => ({ letters, bytes: usage.total }),
    sweep() {
      for (const topic of topics.keys()) live(topic)
      for (const [project, { total }] of projects) if (total === 0) projects.delete(project)
    },
    close: async () => {},
  }
}
