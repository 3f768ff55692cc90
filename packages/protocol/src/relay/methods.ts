import * as v from 'valibot'

/** A topic: the SHA-256 of its key, or 32 random bytes. */
export const topicSchema: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/** A message that the relay delivers to a subscriber. */
export interface Delivery {
  /** The topic that the message was published on. */
  readonly topic: string
  /** An envelope in base64. */
  readonly message: string
  /** Epoch milliseconds. */
  readonly publishedAt: number
  /** The kind of message, such as 1108 for `wc_sessionRequest` (WalletConnect). 0 if the relay does not send it. */
  readonly tag: number
  /** The attestation of the sender by the relay's verify service: a JWT. */
  readonly attestation?: string | null | undefined
}

/** A schema for a delivery. Other fields are dropped. */
export const deliverySchema: v.GenericSchema<unknown, Delivery> = v.object({
  topic: topicSchema,
  message: v.pipe(v.string(), v.maxLength(2_800_000)),
  publishedAt: v.optional(v.number(), 0),
  tag: v.optional(v.number(), 0),
  attestation: v.nullish(v.string()),
})

/** The parameters of `irn_subscription`, sent from relay to client. */
export const subscriptionSchema: v.GenericSchema<unknown, { readonly data: Delivery }> = v.object({
  data: deliverySchema,
})

/** The result of `irn_fetchMessages` and `irn_batchFetchMessages`. */
export const fetchedSchema: v.GenericSchema<
  unknown,
  { readonly messages: readonly Delivery[]; readonly hasMore: boolean }
> = v.object({ messages: v.array(deliverySchema), hasMore: v.optional(v.boolean(), false) })

/** Maximum number of topics or messages in a batch call. */
export const maxBatch = 500

/** The parameters of `irn_publish`. `ttl` is in seconds. */
export interface Publication {
  /** The topic to publish on: 64 hex digits. */
  readonly topic: string
  /** An envelope in base64. The relay cannot read it. */
  readonly message: string
  /** How long the relay stores the message for subscribers that are offline, in seconds. */
  readonly ttl: number
  /** The kind of message, such as 1108 for `wc_sessionRequest` (WalletConnect). */
  readonly tag: number
  /** Whether the recipient should get a push notification. Latchkey's relay does not send any. */
  readonly prompt?: boolean | undefined
  /** The attestation of the sender by the relay's verify service: a JWT. Absent if the page has none. */
  readonly attestation?: string | undefined
}
