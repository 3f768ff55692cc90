import type { AddressGroup } from '../clientAddress.ts'
import { createMemoryQuota, type MemoryQuota } from '../memoryQuota.ts'
import { createUsage, type Owner, type Usage, type UsageEntry } from './quotaUsage.ts'

/** A message that is stored until the subscribers of its topic have received it. */
export interface RelayMessage {
  /** The SHA-256 of the message, in hex. Identical messages on a topic are stored once. */
  readonly id: string
  /** The topic it was published on: 64 hex digits. */
  readonly topic: string
  /** The envelope in base64, which the relay cannot read. */
  readonly message: string
  /** The kind of message, such as 1108 for `wc_sessionRequest` (WalletConnect). 0 if the publisher sent none. */
  readonly tag: number
  /** The publisher's attestation by a verify service: a JWT. Passed on unchecked. */
  readonly attestation?: string | undefined
  /** Epoch milliseconds. */
  readonly publishedAt: number
  /** When it is removed even if it was not received, in epoch milliseconds. */
  readonly expiresAt: number
  /** The client that published the message. The message is never delivered back to that client. */
  readonly from: string
}

/** Receives new messages from a store. */
export interface MessageListener {
  /** A message was published on a subscribed topic, on any instance. */
  onMessage(letter: RelayMessage): void
  /** Messages may have been missed: pending messages must be read again. */
  onGap(): void
}

/** The owners whose quotas a message counts against. */
export interface MessageOwner {
  /** The address groups of the publisher, widest first. */
  readonly groups: readonly AddressGroup[]
  /** The `did:key` of the publisher. */
  readonly clientId: string
  /** A registered project. */
  readonly project: string | undefined
}

/** The result of a put: `duplicate` if the topic already has the message, `topicFull` if the topic is full, `quotaExceeded` if an owner has too much stored. */
export type PutResult = 'stored' | 'duplicate' | 'topicFull' | 'quotaExceeded'

/** A message without its content. `size` is the number of bytes that count against quotas. */
export interface MessageMetadata extends Pick<RelayMessage, 'id' | 'topic' | 'from'> {
  /** The bytes that count against quotas: the message, its attestation and a fixed overhead. */
  readonly size: number
}

/** Stores messages until they are acknowledged or expire. Every method rejects with StoreUnavailableError while the store cannot be reached. */
export interface MessageStore {
  /**
   * Stores a message and notifies the subscribers of its topic. `owner` defaults to the publisher.
   * When the total limit is reached, the largest message of the owner with the highest use is dropped, if that use is higher than this owner's.
   */
  put(letter: RelayMessage, owner?: MessageOwner): Promise<PutResult>
  /** Reads pending messages topic by topic, each in order of publication. Only those that pass `filter` are read. */
  listPending(topics: readonly string[], filter?: (entry: MessageMetadata) => boolean): Promise<readonly RelayMessage[]>
  /** Removes an acknowledged message, unless `acknowledgedBy` published it. */
  remove(receipt: { topic: string; id: string; acknowledgedBy: string }): Promise<void>
  /** Once it resolves, listeners receive every message on these topics. */
  subscribe(topics: readonly string[]): Promise<void>
  /** Ends the subscription to these topics. An in-memory store notifies listeners of all topics anyway. */
  unsubscribe(topics: readonly string[]): void
  /** Adds a listener for new messages. Returns a function that removes it. */
  addListener(listener: MessageListener): () => void
  /** Whether the store is connected. */
  ready(): boolean
  /** Whether the store is out of memory even though quotas are not exhausted. */
  isOutOfMemory?(): boolean
  /** Checks the store. Rejects if it does not respond. */
  ping(): Promise<void>
  /** Message count and size, for in-memory stores. */
  stats?(): { readonly messages: number; readonly bytes: number }
  /** Removes expired messages. */
  sweep(): void
  /** Disconnects from the store. Has no effect on an in-memory store. */
  close(): Promise<void>
}

/** The limits of a message store. */
export interface MessageStoreLimits {
  /** Maximum number of messages per topic. */
  readonly maxMessages: number
  /** Maximum number of bytes per topic. */
  readonly maxTopicBytes: number
  /** Maximum number of bytes in total, per project, per address and per client. 0 for `project` means no limit. */
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

/** The store did not respond. Whether a message was stored is unknown. */
export class StoreUnavailableError extends Error {
  /** Always `StoreUnavailableError`, also in minified bundles. */
  override readonly name = 'StoreUnavailableError'
}

/** The size that counts against quotas: the bytes of a message plus an estimated overhead, because many small messages also use up memory. */
export const storedSize = ({ message, attestation = '' }: Pick<RelayMessage, 'message' | 'attestation'>): number =>
  Buffer.byteLength(message) + Buffer.byteLength(attestation) + 1_024

/**
 * A client with an unknown address is compared with networks, so its share is that of an IPv6 network. Clients at one address are only
 * compared with each other.
 */
const clientShare = 8

/** Returns the owners of a message, widest first, with their limits. */
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
  readonly groups: readonly AddressGroup[]
  readonly entries: readonly UsageEntry<StoredMessage>[]
}

/** Creates a message store in the memory of this process. `now` returns epoch milliseconds. */
export function memoryMessageStore({
  now,
  limits = messageStoreLimits,
  heldBytes = createMemoryQuota(Number.POSITIVE_INFINITY),
}: {
  now: () => number
  limits?: MessageStoreLimits
  /** [unlimited] Tracks all bytes held per address. */
  heldBytes?: MemoryQuota
}): MessageStore {
  const topics = new Map<string, Map<string, StoredMessage>>()
  const usage = createUsage<StoredMessage>({ max: limits.maxBytes.process })
  const projects = new Map<string, Usage<StoredMessage>>()
  const listeners = new Set<MessageListener>()
  let messageCount = 0

  const drop = ({ message: letter, size, groups, entries }: StoredMessage): void => {
    const { topic, id } = letter
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
  /** Runs at most once a second, so that requests for space cannot keep the process busy. */
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
    async put(letter, owner = { groups: [], clientId: letter.from, project: undefined }) {
      const stored = unexpired(letter.topic)
      if (stored?.has(letter.id)) return 'duplicate'
      const size = storedSize(letter)
      let topicBytes = size
      for (const other of stored?.values() ?? []) topicBytes += other.size
      if ((stored?.size ?? 0) >= limits.maxMessages || topicBytes > limits.maxTopicBytes) return 'topicFull'
      const path = [
        ...ownersOf(owner, limits),
        { name: letter.topic + letter.id, share: 1, max: Number.POSITIVE_INFINITY },
      ]
      const usageEntries: UsageEntry<StoredMessage>[] = []
      const { groups } = owner
      const storedMessage: StoredMessage = { message: letter, size, groups, entries: usageEntries }
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
      // Read again, because making room can remove the topic's last message.
      const topicMessages = topics.get(letter.topic) ?? new Map<string, StoredMessage>()
      topicMessages.set(letter.id, storedMessage)
      heldBytes.add(groups, size)
      messageCount += 1
      topics.set(letter.topic, topicMessages)
      for (const { onMessage } of listeners) onMessage(letter)
      return 'stored'
    },
    async listPending(requestedTopics, filter = () => true) {
      const found: RelayMessage[] = []
      for (const name of requestedTopics)
        for (const { message: letter, size } of unexpired(name)?.values() ?? []) {
          const { id, topic, from } = letter
          if (filter({ id, topic, from, size })) found.push(letter)
        }
      return found
    },
    async remove({ topic, id, acknowledgedBy }) {
      const storedMessage = topics.get(topic)?.get(id)
      if (storedMessage && storedMessage.message.from !== acknowledgedBy) drop(storedMessage)
    },
    // In one process, listeners receive every message.
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
