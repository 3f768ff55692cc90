import { topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'
import type { Log } from '../ports.ts'
import {
  type Entry,
  type Kept,
  type Letter,
  type Listener,
  type Mailboxes,
  MailboxesAway,
  type MailboxLimits,
  mailboxLimits,
  sizeOf,
} from './mailbox.ts'

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

// Three keys per topic, of one slot in a cluster: the letters in their order; where each lies, who wrote it, its size and its
// time; and when each expires.
const keysOf = (topic: string): string[] =>
  ['letters', 'places', 'ends'].map((part) => `latchkey:relay:{${topic}}:${part}`)
const channelOf = (topic: string): string => `latchkey:relay:${topic}`

// All of it at once, so that two instances cannot keep one letter twice, and nobody hears of what is not kept.
const putScript = `
local letters, places, ends = KEYS[1], KEYS[2], KEYS[3]
local id, text, from, now, till, most, channel, size, bytes = unpack(ARGV)
for _, old in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now)) do
  local place = redis.call('HGET', places, old)
  if place then redis.call('XDEL', letters, string.match(place, '^%S+')) end
  redis.call('HDEL', places, old)
  redis.call('ZREM', ends, old)
end
if redis.call('HEXISTS', places, id) == 1 then return 'known' end
local held = redis.call('HVALS', places)
local whole = tonumber(size)
for _, place in ipairs(held) do whole = whole + tonumber(string.match(place, '^%S+ %S+ (%d+)') or 0) end
if #held >= tonumber(most) or whole > tonumber(bytes) then return 'full' end
local place = redis.call('XADD', letters, '*', 'letter', text)
redis.call('HSET', places, id, place .. ' ' .. from .. ' ' .. size .. ' ' .. till)
redis.call('ZADD', ends, till, id)
local last = redis.call('ZREVRANGE', ends, 0, 0, 'WITHSCORES')[2]
local life = string.format('%.0f', math.max(1, tonumber(last) - tonumber(now)))
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, life) end
redis.call('PUBLISH', channel, text)
return 'kept'`

const removeScript = `
local place = redis.call('HGET', KEYS[2], ARGV[1])
if not place then return 0 end
local at, from = string.match(place, '^(%S+) (%S+)')
if from == ARGV[2] then return 0 end
redis.call('XDEL', KEYS[1], at)
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('HLEN', KEYS[2]) == 0 then redis.call('DEL', unpack(KEYS)) end
return 1`

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
const entriesSchema = v.array(v.tuple([v.string(), v.tuple([v.literal('letter'), v.string()])]))

/**
 * Mailboxes in a Redis, so that any instance serves any client: one stream per topic, which Redis forgets with its last letter, and
 * a channel per topic on which instances hear of new ones. Rejects when no Redis answers at `url`; one that goes away
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
  let cleaning: Promise<void> = Promise.resolve()
  let started = false
  let known = true

  const ready = (): boolean => client.isReady && ears.isReady

  const noticed = (error: unknown): void => {
    if (known && started) log('warn', 'the Redis of the relay is away', { error: nameOf(error) })
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
      throw new MailboxesAway(nameOf(error))
    } finally {
      clearTimeout(timer)
    }
  }

  /** A script by its digest, and by its text where Redis does not know it yet. */
  const script = (text: string) => {
    let digest: Promise<string> | undefined
    return async (topic: string, args: string[]): Promise<unknown> => {
      const given = { keys: keysOf(topic), arguments: args }
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
  const put = script(putScript)
  const limited = (letter: Letter): string[] =>
    [limits.letters, channelOf(letter.topic), sizeOf(letter), limits.topicBytes].map(String)
  const remove = script(removeScript)

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
  started = true

  return {
    // Whose room it takes is not counted here: how much Redis holds is its own to limit.
    async put(letter) {
      const args = [letter.id, JSON.stringify(letter), letter.from, String(now()), String(letter.expiresAt)]
      const kept = await asking(() => put(letter.topic, [...args, ...limited(letter)]))
      return kept as Kept
    },
    // First what there is, then what is wanted of it: a stranger decides how much waits, its reader how much is read.
    async waiting(topics, isWanted = () => true) {
      const wanted: { readonly topic: string; readonly at: string }[] = []
      for (let from = 0; from < topics.length; from += topicsAtOnce) {
        const part = topics.slice(from, from + topicsAtOnce)
        const found = await asking(() =>
          Promise.all(part.map((topic) => client.sendCommand(['HGETALL', keysOf(topic)[1] as string]))),
        )
        part.forEach((topic, nth) => {
          for (const { at, expiresAt, ...entry } of readPlaces(topic, found[nth]))
            if (expiresAt > now() && isWanted(entry)) wanted.push({ topic, at })
        })
      }
      const letters: Letter[] = []
      for (let from = 0; from < wanted.length; from += lettersAtOnce) {
        const found = await asking(() =>
          Promise.all(
            wanted
              .slice(from, from + lettersAtOnce)
              .map(({ topic, at }) => client.sendCommand(['XRANGE', keysOf(topic)[0] as string, at, at])),
          ),
        )
        for (const [, [, text]] of found.flatMap((one) => v.parse(entriesSchema, one))) {
          const letter = read(text)
          if (letter && letter.expiresAt > now()) letters.push(letter)
        }
      }
      return letters
    },
    async remove({ topic, id, by }) {
      await asking(() => remove(topic, [id, by]))
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
    // Redis forgets letters by itself. Channels are left in one go, and none is joined meanwhile: the client takes a channel
    // that it is about to leave for one that it is on.
    sweep() {
      const left = [...channels].filter((topic) => !followed.has(topic))
      if (left.length === 0 || !ears.isReady) return
      for (const topic of left) channels.delete(topic)
      cleaning = ears.unsubscribe(left.map(channelOf), heard).catch(() => {})
    },
    async close() {
      started = false
      for (const one of [client, ears]) one.destroy()
    },
  }
}

/** The list of what waits on a topic, oldest first. */
function readPlaces(topic: string, answer: unknown): (Entry & { readonly at: string; readonly expiresAt: number })[] {
  const flat = v.parse(v.array(v.string()), answer)
  const entries = []
  for (let nth = 0; nth + 1 < flat.length; nth += 2) {
    const [at = '', from = '', size = '0', till = 'Infinity'] = (flat[nth + 1] as string).split(' ')
    entries.push({ id: flat[nth] as string, topic, from, size: Number(size), expiresAt: Number(till), at })
  }
  const order = ({ at }: { at: string }): number[] => at.split('-').map(Number)
  return entries.sort((a, b) => {
    const [[ms = 0, nth = 0], [otherMs = 0, otherNth = 0]] = [order(a), order(b)]
    return ms - otherMs || nth - otherNth
  })
}

function read(text: string): Letter | undefined {
  try {
    return v.parse(letterSchema, JSON.parse(text))
  } catch {
    return undefined
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
