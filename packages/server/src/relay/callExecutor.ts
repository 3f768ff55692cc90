import type { Clock } from '../serverDependencies.ts'
import type { RelayClient } from './authenticator.ts'
import type { ClientQuotas } from './limits/clientQuotas.ts'
import { callCost } from './limits/relayLimits.ts'
import type { MessagePage } from './messages/fetchMessagePage.ts'
import type { MessageStore, PutResult } from './messages/messageStore.ts'
import type { RelayMetrics } from './relayMetrics.ts'
import { type Publication, type RelayRequest, RpcError } from './rpcRequest.ts'
import type { Subscriber } from './subscriber.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The result of a call. */
export interface CallResult {
  readonly result: unknown
}

/** A result and the topics whose pending messages are delivered after the response. */
export interface LaterResult extends CallResult {
  readonly after?: readonly string[]
}

/** Executes clients' calls. */
export interface CallExecutor {
  /** Executes a call on a connection. Returns a promise unless everything that the call needs is in this process's memory. */
  execute(subscriber: Subscriber & RelayClient, call: RelayRequest): CallResult | Promise<LaterResult>
  /** Stores messages and charges the client for each delivery. Returns a promise unless the store is in this process's memory. */
  publish(client: RelayClient, publications: readonly Publication[]): void | Promise<void>
  /** Reads one page of pending messages and charges the client for each topic. */
  fetch(client: RelayClient & Pick<Subscriber, 'fetched'>, topics: readonly string[]): Promise<MessagePage>
}

const done: CallResult = { result: true }

/** Creates the call executor. */
export function createCallExecutor({
  store,
  subscriptions,
  capacity,
  metrics,
  now,
  clock,
}: {
  store: Pick<MessageStore, 'put' | 'remove'>
  subscriptions: Subscriptions
  capacity: Pick<ClientQuotas, 'charge'>
  metrics: Pick<RelayMetrics, 'published'>
  now: () => number
  clock: Clock
}): CallExecutor {
  const checkPut = (result: PutResult, tag: number, startedAt: number): void => {
    if (result === 'topicFull') throw new RpcError('MailboxLimitExceeded', 'The topic has too many messages')
    if (result === 'quotaExceeded')
      throw new RpcError(
        'MailboxLimitExceeded',
        'Too many of your messages are pending: try again when some have been received',
      )
    metrics.published(tag, (clock() - startedAt) / 1000)
  }

  const publishOne = (
    client: RelayClient,
    { id, topic, message, ttl, tag, attestation }: Publication,
  ): void | Promise<void> => {
    // The publisher is charged for each delivery.
    capacity.charge(client, message.length * subscriptions.subscriberCount(topic))
    const startedAt = clock()
    const publishedAt = now()
    const expiresAt = publishedAt + ttl * 1000
    const result = store.put(
      { id, topic, message, tag, attestation, publishedAt, expiresAt, from: client.clientId },
      client,
    )
    if (typeof result !== 'string') return result.then((later) => checkPut(later, tag, startedAt))
    checkPut(result, tag, startedAt)
  }

  const publish: CallExecutor['publish'] = (client, publications) => {
    for (const [at, publication] of publications.entries()) {
      const storing = publishOne(client, publication)
      if (!storing) continue
      const rest = publications.slice(at + 1)
      return rest.length === 0 ? storing : storing.then(() => publish(client, rest))
    }
  }

  /** Publishes messages and subscribes their publisher to `topics`. */
  const publishAndSubscribe = async (
    subscriber: Subscriber & RelayClient,
    publications: readonly Publication[],
    topics: readonly string[],
  ): Promise<LaterResult> => {
    await subscriptions.subscribe(subscriber, topics)
    try {
      await publish(subscriber, publications)
    } catch (error) {
      // The client stays subscribed even if publishing fails.
      await subscriptions.flush(subscriber, topics)
      throw error
    }
    return { result: true, after: topics }
  }

  const subscribe = async (
    subscriber: Subscriber,
    { topics, blocking, isBatch }: Extract<RelayRequest, { type: 'subscribe' }>,
  ): Promise<LaterResult> => {
    const ids = await subscriptions.subscribe(subscriber, topics)
    if (blocking) await subscriptions.flush(subscriber, topics)
    return { result: isBatch ? ids : ids[0], ...(blocking ? {} : { after: topics }) }
  }

  const receive = async (
    subscriber: Subscriber,
    receipts: Extract<RelayRequest, { type: 'receive' }>['receipts'],
  ): Promise<LaterResult> => {
    // A message is removed once a subscriber other than its publisher has received it.
    for (const { topic, messageId } of receipts)
      if (subscriber.topics.has(topic))
        await store.remove({ topic, id: messageId, acknowledgedBy: subscriber.clientId })
    return done
  }

  const fetch: CallExecutor['fetch'] = (client, topics) => {
    capacity.charge(client, callCost.topic * topics.length)
    return subscriptions.fetch(client, topics)
  }

  return {
    publish,
    fetch,
    execute(subscriber, call) {
      switch (call.type) {
        case 'publish':
          if (call.topics.length > 0) return publishAndSubscribe(subscriber, call.publications, call.topics)
          return publish(subscriber, call.publications)?.then(() => done) ?? done
        case 'subscribe':
          return subscribe(subscriber, call)
        case 'unsubscribe':
          subscriptions.unsubscribe(subscriber, call.topics)
          return done
        case 'fetch':
          return fetch(subscriber, call.topics).then((result) => ({ result }))
        case 'receive':
          return receive(subscriber, call.receipts)
      }
    },
  }
}
