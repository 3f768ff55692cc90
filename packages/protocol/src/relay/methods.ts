import * as v from 'valibot'

/** A topic: the SHA-256 of its key, or 32 bytes of chance. */
export const topicSchema: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/** What the relay hands to a subscriber. */
export interface Delivery {
  readonly topic: string
  /** An envelope in base64. */
  readonly message: string
  /** Epoch milliseconds. */
  readonly publishedAt: number
  readonly tag: number
  /** Who the relay's verify service says the sender is: a JWT. */
  readonly attestation?: string | null | undefined
}

/** One delivery; its other fields are left out. */
export const deliverySchema: v.GenericSchema<unknown, Delivery> = v.object({
  topic: topicSchema,
  message: v.pipe(v.string(), v.maxLength(2_800_000)),
  publishedAt: v.optional(v.number(), 0),
  tag: v.optional(v.number(), 0),
  attestation: v.nullish(v.string()),
})

/** `irn_subscription`: relay to client. */
export const subscriptionSchema: v.GenericSchema<unknown, { readonly data: Delivery }> = v.object({
  data: deliverySchema,
})

/** The answer to `irn_fetchMessages` and `irn_batchFetchMessages`. */
export const fetchedSchema: v.GenericSchema<
  unknown,
  { readonly messages: readonly Delivery[]; readonly hasMore: boolean }
> = v.object({ messages: v.array(deliverySchema), hasMore: v.optional(v.boolean(), false) })

/** The most topics or messages that one batch call may name. */
export const maxBatch = 500

/** `irn_publish`. `ttl` is in seconds. */
export interface Publication {
  readonly topic: string
  readonly message: string
  readonly ttl: number
  readonly tag: number
  readonly prompt?: boolean | undefined
  readonly attestation?: string | undefined
}
