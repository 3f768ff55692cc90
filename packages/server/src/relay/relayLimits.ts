/** The limits of a relay. */
export interface RelayLimits {
  /** Maximum number of bytes per frame. */
  readonly maxFrameBytes: number
  /** Maximum number of characters per message. */
  readonly maxMessageLength: number
  /** Maximum time to live of a message, in seconds. */
  readonly maxTtlSeconds: number
  /** Maximum number of topics per client. */
  readonly maxTopics: number
  /** Maximum number of unacknowledged pushes per connection. */
  readonly maxUnacked: number
  /** How many calls and publications a connection can send at once. Each item of a batch counts. */
  readonly burst: number
  /** How many calls and publications a connection can send per second after its burst. */
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

/** Delivery and calls pause above this number of unread bytes. Further messages stay in the message store. */
export const maxUnreadBytes = 1_048_576

/** The cost of a call in addition to its bytes, and of each topic read. */
export const callCost: { readonly call: number; readonly topic: number } = { call: 256, topic: 1_024 }

/** The maximum size of one page of a fetch, and of one topic's messages in a delivery, in bytes. */
export const maxPageBytes = 1_048_576
