import { createHash } from 'node:crypto'
import { writeFrame } from '@latchkey/protocol/relay'
import { CallFailure } from './calls.ts'
import { type Entry, type Letter, type Mailboxes, sizeOf } from './mailbox.ts'
import type { RelayMetrics } from './relayMetrics.ts'

/** How much one answer to a fetch holds, in bytes. */
const pageSize = 1_048_576
/** The first letter of a topic that is no larger is handed over however much the other topics hold. */
const smallSize = 16_384
/** How much is handed over at once, of one topic and in all: more would break the connection, time after time. */
const atOnce = { topic: pageSize, all: 8 * pageSize } as const

/** One client on one connection. */
export interface Seat {
  readonly client: string
  /** As in Guest. */
  readonly network: string | undefined
  readonly send: (text: string) => void
  readonly topics: Map<string, Subscription>
  /** What was pushed and not yet acknowledged, by the id of the push. */
  readonly pushed: Map<string, { readonly topic: string; readonly id: string }>
  /** What earlier pages of an unfinished fetch have shown. */
  readonly shown: Set<string>
  /** Runs tasks one after the other: what a client says first is done first. */
  readonly inTurn: (task: () => Promise<void>) => Promise<void>
}

interface Subscription {
  readonly id: string
  /** Letters that came while older ones were still being read. */
  held: Letter[] | undefined
  /** The store was away: whether letters went by is not known. */
  isBehind: boolean
}

/** Who listens on which topic, and what is handed to them. */
export interface Seats {
  /** Listens on `topics` from now on; the answer is the id of each subscription. What waits comes with `flush`. */
  subscribe(seat: Seat, topics: readonly string[]): Promise<string[]>
  unsubscribe(seat: Seat, topics: readonly string[]): void
  /** Hands over what waits. */
  flush(seat: Seat, topics: readonly string[]): Promise<void>
  /** What waits, one page of it. */
  fetch(
    seat: Pick<Seat, 'client' | 'shown'>,
    topics: readonly string[],
  ): Promise<{ messages: unknown[]; hasMore: boolean }>
  /** Tries again where the store was away. */
  catchUp(): void
  close(): void
}

/** Seats over mailboxes. `topicsMost` is how many topics one client may listen on, `unheardMost` how many pushes may go unanswered. */
export function createSeats({
  mailboxes,
  metrics,
  now,
  topicsMost,
  unheardMost,
}: {
  mailboxes: Mailboxes
  metrics: RelayMetrics
  now: () => number
  topicsMost: number
  unheardMost: number
}): Seats {
  const seats = new Map<string, Set<Seat>>()
  let lastPush = 0

  // As the specification shows them: microseconds, so that a client sees none twice over two connections.
  const nextPush = (): string => {
    lastPush = Math.max(now() * 1000, lastPush + 1)
    return String(lastPush)
  }

  const push = (seat: Seat, letter: Letter, data: string): void => {
    const sub = seat.topics.get(letter.topic)
    if (sub === undefined || letter.from === seat.client) return
    if (sub.held) {
      sub.held.push(letter)
      return
    }
    const id = nextPush()
    seat.pushed.set(id, { topic: letter.topic, id: letter.id })
    // A client that acknowledges nothing: what it forgets here still waits in its mailbox.
    if (seat.pushed.size > unheardMost) seat.pushed.delete(seat.pushed.keys().next().value as string)
    // Written by hand, as the letter is the same for every seat.
    seat.send(`{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"${sub.id}","data":${data}}}`)
    metrics.delivered(letter.tag)
  }

  const flush: Seats['flush'] = async (seat, wanted) => {
    const topics = wanted.filter((topic) => seat.topics.has(topic))
    const subs = topics.map((topic) => seat.topics.get(topic) as Subscription)
    for (const sub of subs) sub.held ??= []
    const unheard = new Set([...seat.pushed.values()].map(({ topic, id }) => topic + id))
    const sizes = new Map<string, number>()
    const left = new Set<string>()
    let all = 0
    // What is unheard counts: it is under way. What does not fit is looked for with the next sweep, and `fetch` has it.
    const fits = ({ topic, from, size }: Omit<Entry, 'id'>): boolean => {
      if (from === seat.client) return false
      const before = sizes.get(topic) ?? 0
      const isFirst = before === 0 && (all === 0 || size <= smallSize)
      const isTooMuch = left.has(topic) || (!isFirst && (before + size > atOnce.topic || all + size > atOnce.all))
      if (isTooMuch) left.add(topic)
      if (isTooMuch) return false
      sizes.set(topic, before + size)
      all += size
      return true
    }
    let letters: readonly Letter[] = []
    try {
      letters = await mailboxes.waiting(topics, (entry) => fits(entry) && !unheard.has(entry.topic + entry.id))
      for (const sub of subs) sub.isBehind = false
    } catch {
      for (const sub of subs) sub.isBehind = true
    }
    const read = new Set(letters.map(({ topic, id }) => topic + id))
    const held = subs.flatMap((sub) => sub.held ?? []).filter(({ topic, id }) => !read.has(topic + id))
    for (const sub of subs) sub.held = undefined
    for (const letter of letters) push(seat, letter, dataOf(letter))
    for (const letter of held)
      if (!unheard.has(letter.topic + letter.id) && fits({ ...letter, size: sizeOf(letter) }))
        push(seat, letter, dataOf(letter))
    for (const topic of left) {
      const sub = seat.topics.get(topic)
      if (sub) sub.isBehind = true
    }
  }

  const unsubscribe: Seats['unsubscribe'] = (seat, topics) => {
    const empty: string[] = []
    for (const topic of topics) {
      if (!seat.topics.delete(topic)) continue
      metrics.subscriptions(-1)
      const set = seats.get(topic)
      set?.delete(seat)
      if (set?.size !== 0) continue
      seats.delete(topic)
      empty.push(topic)
    }
    if (empty.length > 0) mailboxes.unfollow(empty)
  }

  const follow = async (seat: Seat, topics: readonly string[]): Promise<void> => {
    try {
      await mailboxes.follow(topics)
    } catch {
      // The subscription stands; what it missed is looked for when the store is back.
      for (const topic of topics) {
        const sub = seat.topics.get(topic)
        if (sub) sub.isBehind = true
      }
    }
  }

  const all = (): Set<Seat> => new Set([...seats.values()].flatMap((set) => [...set]))

  const stopListening = mailboxes.listen({
    heard(letter) {
      const set = seats.get(letter.topic)
      if (!set) return
      const data = dataOf(letter)
      for (const seat of set) push(seat, letter, data)
    },
    missed() {
      for (const seat of all()) void seat.inTurn(() => flush(seat, [...seat.topics.keys()]))
    },
  })

  return {
    async subscribe(seat, topics) {
      const fresh = [...new Set(topics)].filter((topic) => !seat.topics.has(topic))
      if (seat.topics.size + fresh.length > topicsMost)
        throw new CallFailure('SubscriberLimitExceeded', `Too many topics: ${topicsMost} are the most of one client`)
      for (const topic of fresh) {
        const id = createHash('sha256').update(seat.client).update(topic).digest('hex')
        // Held until it is flushed: what waits is older than what comes.
        seat.topics.set(topic, { id, held: [], isBehind: false })
        const set = seats.get(topic) ?? new Set()
        set.add(seat)
        seats.set(topic, set)
        metrics.subscriptions(1)
      }
      if (fresh.length > 0) await follow(seat, fresh)
      return topics.map((topic) => seat.topics.get(topic)?.id ?? '')
    },
    unsubscribe,
    flush,
    async fetch({ client, shown }, topics) {
      let size = 0
      let hasMore = false
      const chosen: string[] = []
      const page = await mailboxes.waiting([...new Set(topics)], (entry) => {
        const key = entry.topic + entry.id
        if (entry.from === client || shown.has(key)) return false
        size += entry.size
        hasMore ||= chosen.length > 0 && size > pageSize
        if (!hasMore) chosen.push(key)
        return !hasMore
      })
      if (hasMore) for (const key of chosen) shown.add(key)
      else shown.clear()
      const messages = page.map(({ topic, message, publishedAt, tag, attestation }) => ({
        topic,
        message,
        publishedAt,
        tag,
        attestation,
      }))
      return { messages, hasMore }
    },
    catchUp() {
      for (const seat of all()) {
        const behind = [...seat.topics].filter(([, { isBehind }]) => isBehind).map(([topic]) => topic)
        if (behind.length > 0)
          void seat.inTurn(async () => {
            await follow(seat, behind)
            await flush(seat, behind)
          })
      }
    },
    close: stopListening,
  }
}

/** A refusal as a frame. */
export function failureFrame(
  id: string,
  { code, message, tag }: { code: number; message: string; tag: string },
): string {
  return writeFrame(id, { error: { code, message, data: tag } })
}

function dataOf({ topic, message, publishedAt, tag, attestation }: Letter): string {
  return JSON.stringify({ topic, message, publishedAt, tag, attestation: attestation ?? null })
}
