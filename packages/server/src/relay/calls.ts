import { createHash } from 'node:crypto'
import { maxBatch, topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'

/** The relay's own names of what it refuses, as `data` of an error. */
export type Refused =
  | 'BatchEmpty'
  | 'BatchLimitExceeded'
  | 'Internal'
  | 'InvalidParams'
  | 'InvalidRequest'
  | 'InvalidTopic'
  | 'MailboxLimitExceeded'
  | 'MailboxUnavailable'
  | 'MessageTooLong'
  | 'MethodNotFound'
  | 'SubscriberLimitExceeded'
  | 'TtlTooLong'
  | 'TtlTooShort'

const codes: Partial<Record<Refused, number>> = {
  Internal: -32603,
  MailboxLimitExceeded: -32000,
  MailboxUnavailable: -32000,
  SubscriberLimitExceeded: -32000,
  MethodNotFound: -32601,
}

/** A call that the relay does not answer with a result. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: number
  readonly tag: Refused
  constructor(tag: Refused, message: string) {
    super(message)
    this.code = codes[tag] ?? -32600
    this.tag = tag
  }
}

/** What a client wants to have kept and handed on. `id` is the SHA-256 of the message. */
export interface Publication {
  readonly id: string
  readonly topic: string
  readonly message: string
  /** Seconds. */
  readonly ttl: number
  readonly tag: number
  readonly attestation?: string | undefined
}

/** What a call asks for. */
export type Call =
  /** Its caller listens on `topics` from then on. */
  | { readonly do: 'publish'; readonly publications: readonly Publication[]; readonly topics: readonly string[] }
  /** `each` asks for a list of ids; `blocking` for what waits before the answer. */
  | { readonly do: 'subscribe'; readonly topics: readonly string[]; readonly each: boolean; readonly blocking: boolean }
  | { readonly do: 'unsubscribe'; readonly topics: readonly string[] }
  | { readonly do: 'fetch'; readonly topics: readonly string[] }
  | { readonly do: 'receive'; readonly receipts: readonly { readonly topic: string; readonly messageId: string }[] }

/** What a publication may be. */
export interface PublicationLimits {
  /** Characters of a message. */
  readonly message: number
  /** Seconds. */
  readonly ttlMost: number
}

const whole = v.pipe(v.number(), v.integer())
const publicationSchema = v.object({
  topic: topicSchema,
  message: v.pipe(v.string(), v.nonEmpty()),
  ttl: whole,
  tag: v.optional(v.pipe(whole, v.minValue(0), v.maxValue(0xffff_ffff)), 0),
  attestation: v.nullish(v.pipe(v.string(), v.maxLength(4_096))),
})
const topicsSchema = v.object({ topics: v.array(topicSchema) })
const topicObject = v.object({ topic: topicSchema })
const proposalSchema = v.object({
  pairingTopic: topicSchema,
  sessionProposal: v.pipe(v.string(), v.nonEmpty()),
  ttl: v.optional(whole, 300),
  attestation: publicationSchema.entries.attestation,
})
const approvalSchema = v.object({
  pairingTopic: topicSchema,
  sessionTopic: topicSchema,
  sessionProposalResponse: v.pipe(v.string(), v.nonEmpty()),
  sessionSettlementRequest: v.pipe(v.string(), v.nonEmpty()),
  ttl: v.optional(whole, 300),
})
const batchPublishSchema = v.object({ messages: v.array(publicationSchema) })
const batchUnsubscribeSchema = v.object({ subscriptions: v.array(topicObject) })
const receiptSchema = v.object({ topic: topicSchema, messageId: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) })
const batchReceiveSchema = v.object({ receipts: v.array(receiptSchema) })

/** What a call asks for, or a CallFailure. The names of old clients are taken too. */
export function readCall(method: string, params: unknown, limits: PublicationLimits): Call {
  const publish = (
    given: readonly v.InferOutput<typeof publicationSchema>[],
    topics: readonly string[] = [],
  ): Call => ({
    do: 'publish',
    publications: given.map((one) => readPublication(one, limits)),
    topics,
  })
  const name = method.replace(/^(iridium|waku)_/, 'irn_')
  switch (name) {
    case 'irn_publish':
      return publish([parse(publicationSchema, params)])
    case 'irn_batchPublish':
      return publish(batch(params, 'messages', batchPublishSchema).messages)
    case 'irn_subscribe':
    case 'irn_subscribeBlocking': {
      const topics = [parse(topicObject, params).topic]
      return { do: 'subscribe', topics, each: false, blocking: name === 'irn_subscribeBlocking' }
    }
    case 'irn_batchSubscribe': {
      const { topics } = batch(params, 'topics', topicsSchema)
      return { do: 'subscribe', topics, each: true, blocking: false }
    }
    case 'irn_unsubscribe':
      return { do: 'unsubscribe', topics: [parse(topicObject, params).topic] }
    case 'irn_batchUnsubscribe': {
      const { subscriptions } = batch(params, 'subscriptions', batchUnsubscribeSchema)
      return { do: 'unsubscribe', topics: subscriptions.map(({ topic }) => topic) }
    }
    case 'irn_fetchMessages':
      return { do: 'fetch', topics: [parse(topicObject, params).topic] }
    case 'irn_batchFetchMessages':
      return { do: 'fetch', topics: batch(params, 'topics', topicsSchema).topics }
    case 'irn_batchReceive':
      return { do: 'receive', receipts: batch(params, 'receipts', batchReceiveSchema).receipts }
    case 'wc_proposeSession': {
      const { pairingTopic: topic, sessionProposal: message, ttl, attestation } = parse(proposalSchema, params)
      return publish([{ topic, message, ttl, tag: 1100, attestation }], [topic])
    }
    case 'wc_approveSession': {
      const { pairingTopic, sessionTopic, ttl, ...sealed } = parse(approvalSchema, params)
      const answer = { topic: pairingTopic, message: sealed.sessionProposalResponse, ttl, tag: 1101 }
      const settle = { topic: sessionTopic, message: sealed.sessionSettlementRequest, ttl, tag: 1102 }
      return publish([answer, settle], [sessionTopic])
    }
    default:
      throw new CallFailure('MethodNotFound', 'Method not found')
  }
}

function readPublication(
  { topic, message, ttl, tag, attestation }: v.InferOutput<typeof publicationSchema>,
  limits: PublicationLimits,
): Publication {
  if (ttl < 1) throw new CallFailure('TtlTooShort', 'The ttl is too short: 1 second is the least')
  if (ttl > limits.ttlMost)
    throw new CallFailure('TtlTooLong', `The ttl is too long: ${limits.ttlMost} seconds are the most`)
  if (message.length > limits.message)
    throw new CallFailure('MessageTooLong', `The message is too long: ${limits.message} characters are the most`)
  const id = createHash('sha256').update(message).digest('hex')
  return { id, topic, message, ttl, tag, attestation: attestation ?? undefined }
}

/** A list of 1 to 500, counted before its members are looked at. */
function batch<Schema extends v.GenericSchema>(params: unknown, name: string, schema: Schema): v.InferOutput<Schema> {
  const list = typeof params === 'object' && params !== null ? (params as Record<string, unknown>)[name] : undefined
  if (Array.isArray(list) && list.length === 0) throw new CallFailure('BatchEmpty', 'The batch is empty')
  if (Array.isArray(list) && list.length > maxBatch)
    throw new CallFailure('BatchLimitExceeded', `The batch is too long: ${maxBatch} are the most`)
  return parse(schema, params)
}

function parse<Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  const given = v.safeParse(schema, params)
  if (given.success) return given.output
  const about = given.issues.map((issue) => v.getDotPath(issue) ?? '').join(' ')
  throw new CallFailure(/topic/i.test(about) ? 'InvalidTopic' : 'InvalidParams', `Invalid params: ${about}`)
}
