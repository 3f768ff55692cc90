import { maxPageBytes } from '../limits/relayLimits.ts'
import type { Subscriber } from '../subscriber.ts'
import type { MessageStore } from './messageStore.ts'

/** One page of a client's pending messages. */
export interface MessagePage {
  readonly messages: unknown[]
  readonly hasMore: boolean
}

/**
 * Reads one page of a client's pending messages. `fetched` contains the keys of the messages in earlier pages until the last page
 * is read.
 */
export async function fetchMessagePage(
  store: Pick<MessageStore, 'listPending'>,
  { clientId, fetched }: Pick<Subscriber, 'clientId' | 'fetched'>,
  topics: readonly string[],
): Promise<MessagePage> {
  let size = 0
  let hasMore = false
  const chosen: string[] = []
  const page = await store.listPending([...new Set(topics)], (metadata) => {
    const key = metadata.topic + metadata.id
    if (metadata.from === clientId || fetched.has(key)) return false
    size += metadata.size
    hasMore ||= chosen.length > 0 && size > maxPageBytes
    if (!hasMore) chosen.push(key)
    return !hasMore
  })
  if (hasMore) for (const key of chosen) fetched.add(key)
  else fetched.clear()
  const messages = page.map(({ topic, message, publishedAt, tag, attestation }) => ({
    topic,
    message,
    publishedAt,
    tag,
    attestation,
  }))
  return { messages, hasMore }
}
