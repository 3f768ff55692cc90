import type { RelayMessage } from './messageStore.ts'

/** Sends one frame, whole or in parts. A `Buffer` part is shared with other clients and never copied. */
export type Send = (...parts: readonly (string | Buffer)[]) => void

/** A client on a connection. */
export interface Subscriber {
  readonly clientId: string
  readonly send: Send
  /** Returns whether the client has read nearly everything it was sent. */
  readonly hasRoom: () => boolean
  /** Reserves capacity for that many more topics. A negative number releases it. */
  readonly reserve: (topics: number) => boolean
  readonly topics: Map<string, Subscription>
  /** Topics that can have undelivered messages, because the store was unavailable or the client did not read. */
  readonly behindTopics: Set<string>
  /** Messages that were pushed and are not yet acknowledged, by push ID. */
  readonly unacked: Map<string, { readonly topic: string; readonly id: string }>
  /** Keys of the messages in earlier pages of an unfinished fetch. */
  readonly fetched: Set<string>
  /** Runs the client's tasks in order, one at a time. */
  readonly runInOrder: (task: () => Promise<void>) => Promise<void>
}

/** A client's subscription to a topic. */
export interface Subscription {
  /** Created on first use, because most topics are silent and the ID takes more memory than the rest. */
  id: string | undefined
  /** Messages that arrived while older ones were still being read. */
  buffered: RelayMessage[] | undefined
}
