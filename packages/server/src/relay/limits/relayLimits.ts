/** The limits of a relay. */
export interface RelayLimits {
  /** The maximum number of bytes per frame. */
  readonly maxFrameBytes: number
  /** The maximum number of characters per message. */
  readonly maxMessageLength: number
  /** The maximum time to live of a message, in seconds. */
  readonly maxTtlSeconds: number
  /** The maximum number of topics per client. */
  readonly maxTopics: number
  /** The maximum number of unacknowledged pushes per connection. */
  readonly maxUnacked: number
  /** The number of calls and publications that a connection can send at once. Each item in a batch counts. */
  readonly burst: number
  /** The number of calls and publications per second that a connection can send after its burst. */
  readonly perSecond: number
}

/** The default limits of a relay. */
export const relayLimits: RelayLimits = {
  maxFrameBytes: 2_097_152,
  maxMessageLength: 1_048_576,
  maxTtlSeconds: 30 * 86_400,
  maxTopics: 5_000,
  maxUnacked: 2_000,
  burst: 600,
  perSecond: 60,
}

/** The number of unread bytes at which calls and deliveries pause. Further messages stay in the message store. */
export const maxUnreadBytes = 1_048_576

/** The cost of a call in addition to its bytes, and the cost of each topic that the call reads. */
export const callCost: { readonly call: number; readonly topic: number } = { call: 256, topic: 1_024 }

/** The maximum size of a page of fetched messages, and of one topic's messages in a delivery, in bytes. */
export const maxPageBytes = 1_048_576
