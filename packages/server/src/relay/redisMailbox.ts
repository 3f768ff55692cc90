import { setMaxListeners } from 'node:events'
import { topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'
import { errorFields } from '../errorFields.ts'
import type { Log } from '../ports.ts'
import { createSlots } from '../slots.ts'
import {
  type Entry,
  type Kept,
  type Letter,
  type Listener,
  type Mailboxes,
  MailboxesAway,
  type MailboxLimits,
  mailboxLimits,
  ownersOf,
  sizeOf,
} from './mailbox.ts'
import { forgetScript, makeRoomScript, putScript, redisPrefix, removeScript } from './redisScripts.ts'

/** How long Redis may take for an answer, and for the first connection. */
const answerMs = 3_000
const connectMs = 5_000
/** The longest wait between two attempts to connect again. */
const retryMostMs = 2_000
/** How many topics one SUBSCRIBE names. */
const subscribeMost = 1_000
/** How many topics are looked through at once, and how many of their letters are read at once. */
const topicsAtOnce = 50
const lettersAtOnce = 16
/** So many readers ask for what waits at once: a store that is slow must not fill this process with answers, nor keep its writers waiting. */
const readersAtOnce = 4

const boxOf = (topic: string): string => `${redisPrefix}t:${topic}`
const messageOf = (topic: string, id: string): string => `${redisPrefix}m:${topic}:${id}`
const channelOf = (topic: string): string => `latchkey:relay:${topic}`

/** What has expired is forgotten by so many at a time. */
const forgetAtOnce = 500
/** The share of Redis' own memory that letters may take: what stands around them takes the rest. */
const memoryShare = 0.5

const letterSchema = v.object({
  id: v.string(),
  topic: topicSchema,
  message: v.string(),
  tag: v.number(),
  attestation: v.optional(v.string()),
  publishedAt: v.number(),
  expiresAt: v.number(),
  from: v.string(),
})

/**
 * Mailboxes in a Redis, so that any instance serves any client: one hash per topic, with the quotas of all owners kept by the
 * scripts that write, and a channel per topic on which instances hear of new ones. Rejects when no Redis answers at `url`; one that goes away
 * later is waited for.
 */
export async function redisMailboxes({
  url,
  now,
  log,
  limits = mailboxLimits,
}: {
  url: string
  now: () => number
  log: Log
  limits?: MailboxLimits
}): Promise<Mailboxes> {
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    RESP: 2,
    // A publish that waited in a queue would be a promise that nobody can keep.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: 10_000,
    socket: {
      connectTimeout: connectMs,
      reconnectStrategy: (tries) => Math.min(retryMostMs, 50 * 2 ** Math.min(tries, 6)),
    },
  })
  const ears = client.duplicate()
  const followed = new Set<string>()
  /** What was ever asked for: more than `followed`, until the next sweep. */
  const channels = new Set<string>()
  const listeners = new Set<Listener>()
  const closing = new AbortController()
  // As many as wait.
  setMaxListeners(0, closing.signal)
  const readers = createSlots({ calls: readersAtOnce, waiting: Number.POSITIVE_INFINITY })
  let cleaning: Promise<void> = Promise.resolve()
  let started = false
  let known = true

  const ready = (): boolean => client.isReady && ears.isReady

  const noticed = (error: unknown): void => {
    if (known && started) log('warn', 'the Redis of the relay is away', errorFields(error))
    known = false
  }

  /** Runs `ask`, for no longer than it may take. */
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    try {
      return await Promise.race([
        ask(),
        new Promise<never>((_, reject) => {
          timer = setTimeout(reject, answerMs, new MailboxesAway('Redis did not answer in time'))
        }),
      ])
    } catch (error) {
      if (error instanceof MailboxesAway) throw error
      throw new MailboxesAway(error instanceof Error ? `${error.name}: ${error.message}` : 'unknown')
    } finally {
      clearTimeout(timer)
    }
  }

  /** A script by its digest, and by its text where Redis does not know it yet. */
  const script = (text: string) => {
    let digest: Promise<string> | undefined
    return async (...args: (string | number)[]): Promise<unknown> => {
      const given = { keys: [], arguments: args.map(String) }
      digest ??= client.scriptLoad(text).catch((error) => {
        digest = undefined
        throw error
      })
      return client.evalSha(await digest, given).catch((error: unknown) => {
        if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(text, given)
        throw error
      })
    }
  }
  const [put, remove, forget, makeRoom] = [putScript, removeScript, forgetScript, makeRoomScript].map(script) as [
    ReturnType<typeof script>,
    ReturnType<typeof script>,
    ReturnType<typeof script>,
    ReturnType<typeof script>,
  ]
  let maxBytes = limits.bytes.process
  let isOutOfMemory = false

  /** No more than a part of what Redis may use at all: full quotas must not fill it. */
  const readMemory = async (): Promise<void> => {
    const info = await asking(() => client.info('memory'))
    const maxMemory = Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0)
    maxBytes = Math.min(limits.bytes.process, maxMemory > 0 ? maxMemory * memoryShare : Number.POSITIVE_INFINITY)
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction'
    if (!started && maxMemory > 0 && policy !== 'noeviction')
      log('warn', 'the Redis of the relay forgets messages by itself: set maxmemory-policy noeviction', { policy })
  }

  const noticeMemory = (isOut: boolean): void => {
    if (isOut && !isOutOfMemory) log('error', 'the Redis of the relay has no memory left', { code: 'OOM' })
    if (!isOut && isOutOfMemory) log('info', 'the Redis of the relay has memory again')
    isOutOfMemory = isOut
  }

  const heard = (text: string): void => {
    const letter = read(text)
    if (letter) for (const one of listeners) one.heard(letter)
  }

  const hear = async (topics: readonly string[]): Promise<void> => {
    await cleaning
    for (const topic of topics) channels.add(topic)
    for (let from = 0; from < topics.length; from += subscribeMost)
      await ears.subscribe(topics.slice(from, from + subscribeMost).map(channelOf), heard)
  }

  const returned = async (): Promise<void> => {
    if (!started || !ready()) return
    try {
      await asking(() => hear([...followed]))
    } catch {
      return
    }
    if (!known) log('info', 'the Redis of the relay is back')
    known = true
    for (const one of listeners) one.missed()
  }

  for (const one of [client, ears]) {
    one.on('error', noticed)
    one.on('ready', () => void returned())
  }
  try {
    await asking(() => Promise.all([client.connect(), ears.connect()]))
  } catch {
    for (const one of [client, ears]) one.destroy()
    throw new Error('No Redis answers at REDIS_URL.')
  }
  // Where it may not be asked for, the configured limit alone counts.
  await readMemory().catch(() => {})
  started = true

  /** Redis drops messages with their time; what was counted of them goes here. */
  const tidy = async (): Promise<void> => {
    await readMemory()
    while ((await asking(() => forget(now(), forgetAtOnce))) === forgetAtOnce);
  }

  const lettersOn = async (topics: readonly string[], isWanted: (entry: Entry) => boolean): Promise<Letter[]> => {
    const wanted: string[] = []
    for (let from = 0; from < topics.length; from += topicsAtOnce) {
      const part = topics.slice(from, from + topicsAtOnce)
      const found = await asking(() => Promise.all(part.map((topic) => client.sendCommand(['HGETALL', boxOf(topic)]))))
      part.forEach((topic, nth) => {
        for (const { sequence: _, expiresAt, ...entry } of readPlaces(topic, found[nth]))
          if (expiresAt > now() && isWanted(entry)) wanted.push(messageOf(topic, entry.id))
      })
    }
    const letters: Letter[] = []
    for (let from = 0; from < wanted.length; from += lettersAtOnce)
      for (const text of await asking(() => client.mGet(wanted.slice(from, from + lettersAtOnce)))) {
        const letter = typeof text === 'string' ? read(text) : undefined
        if (letter && letter.expiresAt > now()) letters.push(letter)
      }
    return letters
  }

  return {
    async put(letter, owner = { groups: [], client: letter.from, project: undefined }) {
      const { id, topic, from, expiresAt } = letter
      const owners = ownersOf(owner, limits)
        .map(({ kind, name, share }) => `${share}~${kind === 'group' ? 'g' : 'c'}${name}`)
        .join('>')
      const size = sizeOf(letter)
      const write = (): Promise<unknown> =>
        asking(() =>
          put(
            topic,
            id,
            JSON.stringify(letter),
            from,
            now(),
            expiresAt,
            size,
            owner.project ?? '-',
            owners,
            channelOf(topic),
            limits.letters,
            limits.topicBytes,
            Math.floor(maxBytes),
            limits.bytes.project,
            limits.bytes.address,
            limits.bytes.client,
          ),
        )
      try {
        const kept = await write().catch(async (error: unknown) => {
          if (!isMemoryError(error)) throw error
          // Redis is fuller than our quotas know: whoever is heavier than this owner makes room, else it is refused.
          await asking(() => makeRoom(now(), size, 4 * size + 65_536, owners))
          return write()
        })
        noticeMemory(false)
        return kept as Kept
      } catch (error) {
        if (isMemoryError(error)) noticeMemory(true)
        throw error
      }
    },
    // First what there is, then what is wanted of it: a stranger decides how much waits, its reader how much is read.
    async waiting(topics, isWanted = () => true) {
      const leave = await readers.enter(closing.signal)
      if (!leave) throw new MailboxesAway('The relay is going away')
      try {
        return await lettersOn(topics, isWanted)
      } finally {
        leave()
      }
    },
    async remove({ topic, id, by }) {
      await asking(() => remove(topic, id, by))
    },
    async follow(topics) {
      for (const topic of topics) followed.add(topic)
      await asking(() => hear(topics))
    },
    unfollow(topics) {
      for (const topic of topics) followed.delete(topic)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready,
    isOutOfMemory: () => isOutOfMemory,
    async ping() {
      if (!ready()) throw new MailboxesAway('Redis is not connected')
      // A write, as one that became a replica, or cannot write to its disk, answers everything else. Want of memory is told apart.
      const probe = client.set(`${redisPrefix}probe`, '1', { PX: 1_000 }).catch((error: unknown) => {
        if (!isMemoryError(error)) throw error
      })
      await asking(() => Promise.all([probe, ears.ping()]))
    },
    // Channels are left in one go, and none is joined meanwhile: the client takes a channel
    // that it is about to leave for one that it is on.
    sweep() {
      if (client.isReady) void tidy().catch(() => {})
      const left = [...channels].filter((topic) => !followed.has(topic))
      if (left.length === 0 || !ears.isReady) return
      for (const topic of left) channels.delete(topic)
      cleaning = ears.unsubscribe(left.map(channelOf), heard).catch(() => {})
    },
    async close() {
      started = false
      closing.abort()
      for (const one of [client, ears]) one.destroy()
    },
  }
}

/** The list of what waits on a topic, oldest first. */
function readPlaces(
  topic: string,
  answer: unknown,
): (Entry & { readonly sequence: number; readonly expiresAt: number })[] {
  const flat = v.parse(v.array(v.string()), answer)
  const entries = []
  for (let nth = 0; nth + 1 < flat.length; nth += 2) {
    const [sequence, from = '', size, till] = (flat[nth + 1] as string).split(' ')
    const [order, bytes, expiresAt] = [sequence, size, till].map(Number) as [number, number, number]
    entries.push({ id: flat[nth] as string, topic, from, size: bytes, expiresAt, sequence: order })
  }
  return entries.sort((a, b) => a.sequence - b.sequence)
}

/** Whether Redis refused for want of memory. */
function isMemoryError(error: unknown): boolean {
  return error instanceof Error && /(^|\s)-?OOM\b/.test(error.message)
}

function read(text: string): Letter | undefined {
  try {
    return v.parse(letterSchema, JSON.parse(text))
  } catch {
    return undefined
  }
}
