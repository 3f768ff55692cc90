import { topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'
import type { MessageMetadata, RelayMessage } from '../messages/messageStore.ts'
import { redisPrefix } from './luaScripts.ts'
import { runRedisCommand } from './redisTimeout.ts'
import { splitIntoBatches } from './splitIntoBatches.ts'

/** How many topics are listed per batch and how many messages are read per batch. */
const topicsPerBatch = 50
const messagesPerBatch = 16

const topicKey = (topic: string): string => `${redisPrefix}t:${topic}`
const messageKey = (topic: string, id: string): string => `${redisPrefix}m:${topic}:${id}`

const messageSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    id: v.string(),
    topic: topicSchema,
    message: v.string(),
    tag: v.number(),
    attestation: v.optional(v.string()),
    publishedAt: v.number(),
    expiresAt: v.number(),
    from: v.string(),
  }),
)

/** The Redis client commands that read messages. */
export interface MessageClient {
  hGetAll(key: string): Promise<Readonly<Record<string, string>>>
  mGet(keys: string[]): Promise<readonly (string | null)[]>
}

/** Resolves to the pending messages that pass the filter, topic by topic in order of publication. */
export async function readRedisMessages({
  redis,
  topics,
  isWanted,
  now,
}: {
  redis: MessageClient
  topics: readonly string[]
  isWanted: (entry: MessageMetadata) => boolean
  now: () => number
}): Promise<RelayMessage[]> {
  const keys: string[] = []
  for (const batch of splitIntoBatches(topics, topicsPerBatch)) {
    const entries = await runRedisCommand(() =>
      Promise.all(batch.map(async (topic) => parseTopicEntries(topic, await redis.hGetAll(topicKey(topic))))),
    )
    for (const { sequence: _, expiresAt, ...entry } of entries.flat())
      if (expiresAt > now() && isWanted(entry)) keys.push(messageKey(entry.topic, entry.id))
  }
  const messages: RelayMessage[] = []
  for (const batch of splitIntoBatches(keys, messagesPerBatch))
    for (const text of await runRedisCommand(() => redis.mGet([...batch]))) {
      const message = parseMessage(text)
      if (message) messages.push(message)
    }
  return messages
}

/** Parses a stored or published message. Returns `undefined` if it is invalid. */
export function parseMessage(text: string | null): RelayMessage | undefined {
  const parsed = v.safeParse(messageSchema, text)
  return parsed.success ? parsed.output : undefined
}

/** Returns the metadata of a topic's pending messages, oldest first. */
function parseTopicEntries(
  topic: string,
  reply: Readonly<Record<string, string>>,
): (MessageMetadata & { readonly sequence: number; readonly expiresAt: number })[] {
  return Object.entries(reply)
    .map(([id, fields]) => {
      const [sequence, from, size, expiresAt] = fields.split(' ') as [string, string, string, string]
      return { id, topic, from, size: Number(size), expiresAt: Number(expiresAt), sequence: Number(sequence) }
    })
    .sort((a, b) => a.sequence - b.sequence)
}
