import type { Clock } from '../serverDependencies.ts'
import type { RelayClient } from './authenticator.ts'
import type { ClientQuotas } from './limits/clientQuotas.ts'
import { callCost } from './limits/relayLimits.ts'
import type { MessagePage } from './messages/fetchMessagePage.ts'
import type { MessageStore } from './messages/messageStore.ts'
import type { RelayMetrics } from './relayMetrics.ts'
import { type Publication, type RelayRequest, RpcError } from './rpcRequest.ts'
import type { Subscriber } from './subscriber.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Executes clients' calls. */
export interface CallExecutor {
  /** Executes a call on a connection. `after` lists the topics whose pending messages are delivered after the response. */
  execute(
    subscriber: Subscriber & RelayClient,
    call: RelayRequest,
  ): Promise<{ readonly result: unknown; readonly after?: readonly string[] }>
  /** Stores messages and charges the client for each delivery. */
  publish(client: RelayClient, publications: readonly Publication[]): Promise<void>
  /** Reads one page of pending messages and charges the client for each topic. */
  fetch(client: RelayClient & Pick<Subscriber, 'fetched'>, topics: readonly string[]): Promise<MessagePage>
}

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
  const publish: CallExecutor['publish'] = async (client, publications) => {
    for (const { ttl, ...publication } of publications) {
      // The publisher is charged for each delivery.
      capacity.charge(client, publication.message.length * subscriptions.subscriberCount(publication.topic))
      const from = clock()
      const at = now()
      const stored = { ...publication, publishedAt: at, expiresAt: at + ttl * 1000, from: client.clientId }
      const result = await store.put(stored, client)
      if (result === 'topicFull') throw new RpcError('MailboxLimitExceeded', 'The topic has too many messages')
      if (result === 'quotaExceeded')
        throw new RpcError(
          'MailboxLimitExceeded',
          'Too many of your messages are pending: try again when some have been received',
        )
      metrics.published(publication.tag, (clock() - from) / 1000)
    }
  }

  const fetch: CallExecutor['fetch'] = (client, topics) => {
    capacity.charge(client, callCost.topic * topics.length)
    return subscriptions.fetch(client, topics)
  }

  return {
    publish,
    fetch,
    async execute(subscriber, call) {
      switch (call.type) {
        case 'publish':
          await subscriptions.subscribe(subscriber, call.topics)
          // The client stays subscribed even if publishing fails.
          await publish(subscriber, call.publications).catch(async (error: unknown) => {
            await subscriptions.flush(subscriber, call.topics)
            throw error
          })
          return { result: true, after: call.topics }
        case 'subscribe': {
          const ids = await subscriptions.subscribe(subscriber, call.topics)
          if (call.blocking) await subscriptions.flush(subscriber, call.topics)
          return { result: call.isBatch ? ids : ids[0], ...(call.blocking ? {} : { after: call.topics }) }
        }
        case 'unsubscribe':
          subscriptions.unsubscribe(subscriber, call.topics)
          return { result: true }
        case 'fetch':
          return { result: await fetch(subscriber, call.topics) }
        case 'receive':
          // A message is removed once a subscriber other than its publisher has received it.
          for (const { topic, messageId } of call.receipts)
            if (subscriber.topics.has(topic))
              await store.remove({ topic, id: messageId, acknowledgedBy: subscriber.clientId })
          return { result: true }
      }
    },
  }
}
