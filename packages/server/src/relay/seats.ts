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
const atOnce = { topic: pageSize, all: 2 * pageSize } as const
/** From so many characters on, all listeners of a letter share its bytes. */
const sharedSize = 65_536

/** Hands one frame over: whole, or in parts, of which a `Buffer` is shared with other clients and is never copied. */
export type Send = (...parts: readonly (string | Buffer)[]) => void

/** One client on one connection. */
export interface Seat {
  readonly client: string
  readonly send: Send
  /** Whether the client has read what it was sent, but for a little. */
  readonly hasRoom: () => boolean
  /** Asks for room for so many topics more; negative to give back. */
  readonly reserve: (topics: number) => boolean
  readonly topics: Map<string, Subscription>
  /** Topics whose letters may not all have been handed over: the store was away, or the client did not read. */
  readonly behind: Set<string>
  /** What was pushed and not yet acknowledged, by the id of the push. */
  readonly pushed: Map<string, { readonly topic: string; readonly id: string }>
  /** What earlier pages of an unfinished fetch have shown. */
  readonly shown: Set<string>
  /** Runs tasks one after the other: what a client says first is done first. */
  readonly inTurn: (task: () => Promise<void>) => Promise<void>
}

interface Subscription {
  /** Made when it is first needed: most topics are silent, and it takes more memory than all the rest. */
  id: string | undefined
  /** Letters that came while older ones were still being read. */
  held: Letter[] | undefined
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
  /** How many listen on a topic here. */
  listeners(topic: string): number
  /** Hands over what one client is behind with. */
  catchUp(seat: Seat): void
  /** Tries again for everybody, where the store was away. */
  catchUpAll(): void
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
  // One alone stands for itself: most topics have one, and a set of one takes more memory than the topic.
  const seats = new Map<string, Seat | Set<Seat>>()
  const seatsOf = (topic: string): Iterable<Seat> => {
    const found = seats.get(topic)
    return found === undefined ? [] : found instanceof Set ? found : [found]
  }
  const idOf = (seat: Seat, topic: string, sub: Subscription): string => {
    sub.id ??= subscriptionId(seat, topic)
    return sub.id
  }
  let lastPush = 0

  // As the specification shows them: microseconds, so that a client sees none twice over two connections.
  const nextPush = (): string => {
    lastPush = Math.max(now() * 1000, lastPush + 1)
    return String(lastPush)
  }

  const push = (seat: Seat, letter: Letter, data: string | Buffer): void => {
    const sub = seat.topics.get(letter.topic)
    if (sub === undefined || letter.from === seat.client) return
    // What a client does not read waits in its mailbox.
    if (!seat.hasRoom()) {
      seat.behind.add(letter.topic)
      return
    }
    if (sub.held) {
      sub.held.push(letter)
      return
    }
    const id = nextPush()
    seat.pushed.set(id, { topic: letter.topic, id: letter.id })
    // A client that acknowledges nothing: what it forgets here still waits in its mailbox.
    if (seat.pushed.size > unheardMost) seat.pushed.delete(seat.pushed.keys().next().value as string)
    // Written by hand, as the letter is the same for every seat.
    const head = `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"${idOf(seat, letter.topic, sub)}","data":`
    if (typeof data === 'string') seat.send(`${head}${data}}}`)
    else seat.send(head, data, '}}')
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
      for (const topic of topics) seat.behind.delete(topic)
    } catch {
      for (const topic of topics) seat.behind.add(topic)
    }
    const read = new Set(letters.map(({ topic, id }) => topic + id))
    const held = subs.flatMap((sub) => sub.held ?? []).filter(({ topic, id }) => !read.has(topic + id))
    for (const sub of subs) sub.held = undefined
    for (const letter of letters) push(seat, letter, dataOf(letter))
    for (const letter of held)
      if (!unheard.has(letter.topic + letter.id) && fits({ ...letter, size: sizeOf(letter) }))
        push(seat, letter, dataOf(letter))
    for (const topic of left) if (seat.topics.has(topic)) seat.behind.add(topic)
  }

  const unsubscribe: Seats['unsubscribe'] = (seat, topics) => {
    const empty: string[] = []
    for (const topic of topics) {
      if (!seat.topics.delete(topic)) continue
      seat.behind.delete(topic)
      seat.reserve(-1)
      metrics.subscriptions(-1)
      const found = seats.get(topic)
      if (found instanceof Set) {
        found.delete(seat)
        if (found.size > 0) continue
      } else if (found !== seat) continue
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
      for (const topic of topics) seat.behind.add(topic)
    }
  }

  const all = (): Set<Seat> => new Set([...seats.keys()].flatMap((topic) => [...seatsOf(topic)]))

  const catchUp: Seats['catchUp'] = (seat) => {
    if (seat.behind.size === 0) return
    const behind = [...seat.behind].filter((topic) => seat.topics.has(topic))
    // Told once: what is still behind afterwards says so again.
    seat.behind.clear()
    void seat.inTurn(async () => {
      await follow(seat, behind)
      await flush(seat, behind)
    })
  }

  const stopListening = mailboxes.listen({
    heard(letter) {
      if (!seats.has(letter.topic)) return
      const data = dataOf(letter)
      for (const seat of seatsOf(letter.topic)) push(seat, letter, data)
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
      if (fresh.length > 0 && !seat.reserve(fresh.length))
        throw new CallFailure('SubscriberLimitExceeded', 'Too many topics for this client, its address or this relay')
      for (const topic of fresh) {
        // Held until it is flushed: what waits is older than what comes.
        seat.topics.set(topic, { id: undefined, held: [] })
        const found = seats.get(topic)
        if (found === undefined) seats.set(topic, seat)
        else if (found instanceof Set) found.add(seat)
        else seats.set(topic, new Set([found, seat]))
        metrics.subscriptions(1)
      }
      if (fresh.length > 0) await follow(seat, fresh)
      return topics.map((topic) => {
        const sub = seat.topics.get(topic)
        return sub ? subscriptionId(seat, topic) : ''
      })
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
    listeners: (topic) => {
      const found = seats.get(topic)
      return found instanceof Set ? found.size : Number(found !== undefined)
    },
    catchUp,
    catchUpAll() {
      for (const seat of all()) catchUp(seat)
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

function subscriptionId({ client }: Pick<Seat, 'client'>, topic: string): string {
  return createHash('sha256').update(client).update(topic).digest('hex')
}

function dataOf({ topic, message, publishedAt, tag, attestation }: Letter): string | Buffer {
  const data = JSON.stringify({ topic, message, publishedAt, tag, attestation: attestation ?? null })
  return data.length < sharedSize ? data : Buffer.from(data)
}
