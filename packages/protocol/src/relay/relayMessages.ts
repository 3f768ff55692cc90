import * as v from 'valibot'

/** The schema for a topic, which is the SHA-256 hash of a key, or 32 random bytes, in hex. */
export const topicSchema: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/** A message that the relay delivers to a subscriber. */
export interface Delivery {
  /** The topic to which the message was published. */
  readonly topic: string
  /** The encrypted message, in base64. */
  readonly message: string
  /** When the message was published, in epoch milliseconds. */
  readonly publishedAt: number
  /** The kind of message, such as 1108 for `wc_sessionRequest` (WalletConnect). 0 if the relay does not send a tag. */
  readonly tag: number
  /** A JWT in which the relay's verify service attests to the sender's origin. */
  readonly attestation?: string | null | undefined
}

/** The schema for a delivery. Unknown fields are dropped. */
export const deliverySchema: v.GenericSchema<unknown, Delivery> = v.object({
  topic: topicSchema,
  message: v.pipe(v.string(), v.maxLength(2_800_000)),
  publishedAt: v.optional(v.number(), 0),
  tag: v.optional(v.number(), 0),
  attestation: v.nullish(v.string()),
})

/** The schema for the parameters of `irn_subscription`, which the relay sends to the client. */
export const subscriptionSchema: v.GenericSchema<unknown, { readonly data: Delivery }> = v.object({
  data: deliverySchema,
})

/** The schema for the result of `irn_fetchMessages` and `irn_batchFetchMessages`. */
export const fetchedSchema: v.GenericSchema<
  unknown,
  { readonly messages: readonly Delivery[]; readonly hasMore: boolean }
> = v.object({ messages: v.array(deliverySchema), hasMore: v.optional(v.boolean(), false) })

/** The maximum number of topics or messages in a batch call. */
export const maxBatch = 500

/** The parameters of `irn_publish`. */
export interface Publication {
  /** The topic to publish to: 64 hex digits. */
  readonly topic: string
  /** The encrypted message, in base64. The relay cannot decrypt it. */
  readonly message: string
  /** How long the relay stores the message for subscribers that are offline, in seconds. */
  readonly ttl: number
  /** The kind of message, such as 1108 for `wc_sessionRequest` (WalletConnect). */
  readonly tag: number
  /** Whether the recipient should get a push notification. Latchkey's relay does not send push notifications. */
  readonly prompt?: boolean | undefined
  /** A JWT in which the relay's verify service attests to the sender's origin. Absent if the page has no attestation. */
  readonly attestation?: string | undefined
}
