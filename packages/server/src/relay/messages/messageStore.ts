import type { IpAddressGroup } from '../../ipAddresses/ipAddressGroups.ts'
import { createMemoryQuota, type MemoryQuota } from '../../memoryLimits/memoryQuota.ts'
import { createUsage, type Owner, type Usage, type UsageEntry } from '../limits/quotaUsage.ts'

/** A message that is stored until a subscriber to its topic has received it. */
export interface RelayMessage {
  /** The SHA-256 hash of the message, in hex. Identical messages on a topic are stored only once. */
  readonly id: string
  /** The topic that the message was published on: 64 hex digits. */
  readonly topic: string
  /** The message envelope in base64. The relay cannot decrypt it. */
  readonly message: string
  /** The kind of message, such as 1108 for `wc_sessionRequest` (WalletConnect). 0 if the publisher did not specify a tag. */
  readonly tag: number
  /** The attestation that a verify service issued to the publisher, as a JWT. The relay passes it on without checking it. */
  readonly attestation?: string | undefined
  /** When the message was published, in epoch milliseconds. */
  readonly publishedAt: number
  /** When the message is removed if it has not been received, in epoch milliseconds. */
  readonly expiresAt: number
  /** The client that published the message. The message is never delivered back to that client. */
  readonly from: string
}

/** A listener that receives new messages from a store. */
export interface MessageListener {
  /** Called when a message is published on a subscribed topic, on any instance. */
  onMessage(message: RelayMessage): void
  /** Called when the listener might have missed messages and must read the pending messages again. */
  onGap(): void
}

/** The owners whose quotas a message counts against. */
export interface MessageOwner {
  /** The publisher's address groups, widest first. */
  readonly groups: readonly IpAddressGroup[]
  /** The publisher's `did:key`. */
  readonly clientId: string
  /** The registered project that the publisher belongs to. */
  readonly project: string | undefined
}

/**
 * The result of `put`: `duplicate` if the topic already has the message, `topicFull` if the topic is full, or `quotaExceeded` if
 * an owner has stored too much.
 */
export type PutResult = 'stored' | 'duplicate' | 'topicFull' | 'quotaExceeded'

/** A message without its content. */
export interface MessageMetadata extends Pick<RelayMessage, 'id' | 'topic' | 'from'> {
  /** The number of bytes that count against quotas: the message, its attestation and a fixed overhead. */
  readonly size: number
}

/**
 * Stores messages until they are acknowledged or expire. Every asynchronous method rejects with a `StoreUnavailableError` while
 * the store cannot be reached.
 */
export interface MessageStore {
  /**
   * Stores a message and notifies the topic's subscribers. `owner` defaults to the publisher. If the total limit is reached,
   * drops the largest message of the owner that uses the most space, provided that it uses more than `owner`. Returns a promise
   * unless the store is in this process's memory.
   */
  put(message: RelayMessage, owner?: MessageOwner): PutResult | Promise<PutResult>
  /** Resolves to the pending messages that pass `filter`, topic by topic in order of publication. Other messages are not read. */
  listPending(topics: readonly string[], filter?: (entry: MessageMetadata) => boolean): Promise<readonly RelayMessage[]>
  /**
   * Removes a message that `acknowledgedBy` has acknowledged. Has no effect if that client published the message.
   * Returns a promise only if the caller has to wait for the store.
   */
  remove(receipt: { topic: string; id: string; acknowledgedBy: string }): void | Promise<void>
  /** Subscribes to topics. After the promise resolves, listeners receive every message published on these topics. */
  subscribe(topics: readonly string[]): Promise<void>
  /** Unsubscribes from topics. An in-memory store notifies its listeners of messages on all topics anyway. */
  unsubscribe(topics: readonly string[]): void
  /** Adds a listener for new messages. Returns a function that removes it. */
  addListener(listener: MessageListener): () => void
  /** Returns whether the store is connected. */
  ready(): boolean
  /** Returns whether the store is out of memory even though no quota is exhausted. */
  isOutOfMemory?(): boolean
  /** Checks the store. Rejects if it does not respond. */
  ping(): Promise<void>
  /** Returns the number and total size of stored messages. Only for in-memory stores. */
  stats?(): { readonly messages: number; readonly bytes: number }
  /** Removes expired messages. */
  sweep(): void
  /** Disconnects from the store. Has no effect on an in-memory store. */
  close(): Promise<void>
}

/** The limits of a message store. */
export interface MessageStoreLimits {
  /** The maximum number of messages per topic. */
  readonly maxMessages: number
  /** The maximum number of bytes per topic. */
  readonly maxTopicBytes: number
  /** The maximum number of bytes in total, per project, per address and per client. A `project` limit of 0 means no limit. */
  readonly maxBytes: {
    readonly process: number
    readonly project: number
    readonly address: number
    readonly client: number
  }
}

/** The default limits of a message store. */
export const messageStoreLimits: MessageStoreLimits = {
  maxMessages: 500,
  maxTopicBytes: 8_388_608,
  maxBytes: { process: 100_663_296, project: 67_108_864, address: 33_554_432, client: 16_777_216 },
}

/** Thrown if the store does not respond. The message might have been stored. */
export class StoreUnavailableError extends Error {
  /** Always `StoreUnavailableError`, even in minified bundles. */
  override readonly name = 'StoreUnavailableError'
}

/**
 * Returns the number of bytes that count against quotas. Includes an estimated overhead, because many small messages also use up
 * memory.
 */
export const storedSize = ({ message, attestation = '' }: Pick<RelayMessage, 'message' | 'attestation'>): number =>
  Buffer.byteLength(message) + Buffer.byteLength(attestation) + 1_024

/**
 * The share of a client. A client with an unknown address is compared with networks, so its share equals that of an IPv6 network.
 * Clients with a known address are compared only with clients at the same address.
 */
const clientShare = 8

/** Returns the owners of a message with their limits, widest first. */
export function ownersOf(
  { groups, clientId }: MessageOwner,
  { maxBytes: bytes }: Pick<MessageStoreLimits, 'maxBytes'>,
): readonly (Owner & { readonly isGroup: boolean })[] {
  return [
    ...groups.map(({ name, share }) => ({ isGroup: true, name, share, max: bytes.address * share })),
    { isGroup: false, name: clientId, share: clientShare, max: bytes.client },
  ]
}

interface StoredMessage {
  readonly message: RelayMessage
  readonly size: number
  readonly groups: readonly IpAddressGroup[]
  readonly entries: readonly UsageEntry<StoredMessage>[]
}

/** Creates a message store in this process's memory. `now` returns epoch milliseconds. */
export function memoryMessageStore({
  now,
  limits = messageStoreLimits,
  heldBytes = createMemoryQuota(Number.POSITIVE_INFINITY),
}: {
  now: () => number
  limits?: MessageStoreLimits
  /** Counts all bytes used per address. Default: unlimited. */
  heldBytes?: MemoryQuota
}): MessageStore {
  const topics = new Map<string, Map<string, StoredMessage>>()
  const usage = createUsage<StoredMessage>({ max: limits.maxBytes.process })
  const projects = new Map<string, Usage<StoredMessage>>()
  const listeners = new Set<MessageListener>()
  let messageCount = 0

  const drop = ({ message, size, groups, entries }: StoredMessage): void => {
    const { topic, id } = message
    const topicMessages = topics.get(topic) as Map<string, StoredMessage>
    topicMessages.delete(id)
    heldBytes.add(groups, -size)
    messageCount -= 1
    for (const entry of entries) entry.leave()
    if (topicMessages.size === 0) topics.delete(topic)
  }

  const unexpired = (topic: string): Map<string, StoredMessage> | undefined => {
    const topicMessages = topics.get(topic)
    if (topicMessages)
      for (const storedMessage of topicMessages.values())
        if (storedMessage.message.expiresAt <= now()) drop(storedMessage)
    return topics.get(topic)
  }

  let sweptAt = now()
  /**
   * Removes expired messages at most once per second, so that clients that publish to a full relay cannot keep the process busy.
   */
  const forgetExpired = (): void => {
    if (Math.abs(now() - sweptAt) < 1_000) return
    sweptAt = now()
    for (const topic of topics.keys()) unexpired(topic)
  }

  const projectOf = (project: string): Usage<StoredMessage> => {
    const found = projects.get(project) ?? createUsage<StoredMessage>({ max: limits.maxBytes.project })
    projects.set(project, found)
    return found
  }

  return {
    put(message, owner = { groups: [], clientId: message.from, project: undefined }) {
      const stored = unexpired(message.topic)
      if (stored?.has(message.id)) return 'duplicate'
      const size = storedSize(message)
      let topicBytes = size
      if (stored) for (const other of stored.values()) topicBytes += other.size
      if ((stored?.size ?? 0) >= limits.maxMessages || topicBytes > limits.maxTopicBytes) return 'topicFull'
      const path = [
        ...ownersOf(owner, limits),
        { name: message.topic + message.id, share: 1, max: Number.POSITIVE_INFINITY },
      ]
      const usageEntries: UsageEntry<StoredMessage>[] = []
      const { groups } = owner
      const storedMessage: StoredMessage = { message, size, groups, entries: usageEntries }
      const reserve = (found: Usage<StoredMessage>): boolean => {
        const entry = found.enter(path, storedMessage)
        usageEntries.push(entry)
        if (entry.exceededBy(size).length > 0) forgetExpired()
        for (let exceeded = entry.exceededBy(size); exceeded.length > 0; exceeded = entry.exceededBy(size)) {
          const heaviest = exceeded.length === 1 && exceeded[0] === 0 && entry.isLighter(0, size) && entry.heaviestAt(0)
          if (!heaviest) return false
          drop(heaviest)
        }
        entry.add(size)
        return true
      }
      if (heldBytes.exceeded(groups, size) >= 0) forgetExpired()
      if (heldBytes.exceeded(groups, size) >= 0) return 'quotaExceeded'
      const isProjectLimited = owner.project !== undefined && limits.maxBytes.project > 0
      if (!reserve(usage) || (isProjectLimited && !reserve(projectOf(owner.project as string)))) {
        for (const entry of usageEntries) entry.leave()
        return 'quotaExceeded'
      }
      // The topic is looked up again, because making room can remove its last message.
      const topicMessages = topics.get(message.topic) ?? new Map<string, StoredMessage>()
      topicMessages.set(message.id, storedMessage)
      heldBytes.add(groups, size)
      messageCount += 1
      topics.set(message.topic, topicMessages)
      for (const { onMessage } of listeners) onMessage(message)
      return 'stored'
    },
    async listPending(requestedTopics, filter = () => true) {
      const found: RelayMessage[] = []
      for (const name of requestedTopics)
        for (const { message, size } of unexpired(name)?.values() ?? []) {
          const { id, topic, from } = message
          if (filter({ id, topic, from, size })) found.push(message)
        }
      return found
    },
    remove({ topic, id, acknowledgedBy }) {
      const storedMessage = topics.get(topic)?.get(id)
      if (storedMessage && storedMessage.message.from !== acknowledgedBy) drop(storedMessage)
    },
    // In a single process, listeners receive every message without subscribing.
    subscribe: async () => {},
    unsubscribe() {},
    addListener(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready: () => true,
    ping: async () => {},
    stats: () => ({ messages: messageCount, bytes: usage.total }),
    sweep() {
      for (const topic of topics.keys()) unexpired(topic)
      for (const [project, { total }] of projects) if (total === 0) projects.delete(project)
    },
    close: async () => {},
  }
}
