import * as v from 'valibot'

/** A topic: the SHA-256 of its key, or 32 random bytes. */
export const topicSchema: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/** A message that the relay delivers to a subscriber. */
export interface Delivery {
  readonly topic: string
  /** An envelope in base64. */
  readonly message: string
  /** Epoch milliseconds. */
  readonly publishedAt: number
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
  readonly topic: string
  readonly message: string
  readonly ttl: number
  readonly tag: number
  readonly prompt?: boolean | undefined
  readonly attestation?: string | undefined
}
