import type { RelayMessage } from './messages/messageStore.ts'

/** Sends one frame, whole or in parts. A `Buffer` part can be shared with other clients and is never copied. */
export type Send = (...parts: readonly (string | Buffer)[]) => void

/** A client that is connected to the relay. */
export interface Subscriber {
  readonly clientId: string
  readonly send: Send
  /** Returns whether the client has few enough unread bytes to receive more messages. */
  readonly hasRoom: () => boolean
  /** Reserves capacity for more topics and returns whether there was room. A negative number releases capacity. */
  readonly reserve: (topics: number) => boolean
  readonly topics: Map<string, Subscription>
  /** The topics that might have undelivered messages, because the store was unavailable or the client did not read. */
  readonly behindTopics: Set<string>
  /** The pushed messages that have not been acknowledged yet, keyed by push ID. */
  readonly unacked: Map<string, { readonly topic: string; readonly id: string }>
  /** The keys of the messages in earlier pages of an unfinished fetch. */
  readonly fetched: Set<string>
  /** Runs the client's tasks in order, one at a time. */
  readonly runInOrder: (task: () => Promise<void>) => void | Promise<void>
}

/** A client's subscription to a topic. */
export interface Subscription {
  /**
   * The subscription ID. Created on first use, because most topics never receive a message and the ID takes up more memory than
   * the rest of the subscription.
   */
  id: string | undefined
  /** Messages that arrived while older messages were still being read from the store. */
  buffered: RelayMessage[] | undefined
}
