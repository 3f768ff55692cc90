import { hash } from 'node:crypto'
import { CodedError } from '@latchkey/protocol/codedError'
import { maxBatch, topicSchema } from '@latchkey/protocol/relay'
import * as v from 'valibot'

/** The relay's error names, which are sent as `data` in JSON-RPC errors. */
export type RpcErrorTag =
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

const codes: Partial<Record<RpcErrorTag, number>> = {
  Internal: -32603,
  MailboxLimitExceeded: -32000,
  MailboxUnavailable: -32000,
  SubscriberLimitExceeded: -32000,
  MethodNotFound: -32601,
}

/** An error that is sent to the client as a JSON-RPC error response. */
export class RpcError extends CodedError<number> {
  override readonly name = 'RpcError'
  readonly tag: RpcErrorTag
  constructor(tag: RpcErrorTag, message: string) {
    super(codes[tag] ?? -32600, message)
    this.tag = tag
  }

  override toJSON(): { code: number; message: string; data: RpcErrorTag } {
    return { code: this.code, message: this.message, data: this.tag }
  }
}

/** A message to publish. `id` is the SHA-256 hash of the message. */
export interface Publication {
  readonly id: string
  readonly topic: string
  readonly message: string
  /** The time to live, in seconds. */
  readonly ttl: number
  readonly tag: number
  readonly attestation?: string | undefined
}

/** A parsed JSON-RPC request. */
export type RelayRequest =
  /** Publishes messages. Also subscribes the caller to `topics`. */
  | { readonly type: 'publish'; readonly publications: readonly Publication[]; readonly topics: readonly string[] }
  /**
   * Subscribes the caller to topics. If `isBatch` is set, the result is a list of IDs. If `blocking` is set, pending messages are
   * delivered before the response.
   */
  | {
      readonly type: 'subscribe'
      readonly topics: readonly string[]
      readonly isBatch: boolean
      readonly blocking: boolean
    }
  | { readonly type: 'unsubscribe'; readonly topics: readonly string[] }
  | { readonly type: 'fetch'; readonly topics: readonly string[] }
  | { readonly type: 'receive'; readonly receipts: readonly { readonly topic: string; readonly messageId: string }[] }

/** The limits for a publication. */
export interface PublishLimits {
  /** The maximum number of characters per message. */
  readonly maxMessageLength: number
  /** The maximum time to live, in seconds. */
  readonly maxTtlSeconds: number
}

const integer = v.pipe(v.number(), v.integer())
const publicationSchema = v.object({
  topic: topicSchema,
  message: v.pipe(v.string(), v.nonEmpty()),
  ttl: integer,
  tag: v.optional(v.pipe(integer, v.minValue(0), v.maxValue(0xffff_ffff)), 0),
  attestation: v.nullish(v.pipe(v.string(), v.maxLength(4_096))),
})
const topicsSchema = v.object({ topics: v.array(topicSchema) })
const topicObject = v.object({ topic: topicSchema })
const proposalSchema = v.object({
  pairingTopic: topicSchema,
  sessionProposal: v.pipe(v.string(), v.nonEmpty()),
  ttl: v.optional(integer, 300),
  attestation: publicationSchema.entries.attestation,
})
const approvalSchema = v.object({
  pairingTopic: topicSchema,
  sessionTopic: topicSchema,
  sessionProposalResponse: v.pipe(v.string(), v.nonEmpty()),
  sessionSettlementRequest: v.pipe(v.string(), v.nonEmpty()),
  ttl: v.optional(integer, 300),
})
const batchPublishSchema = v.object({ messages: v.array(publicationSchema) })
const batchUnsubscribeSchema = v.object({ subscriptions: v.array(topicObject) })
const receiptSchema = v.object({ topic: topicSchema, messageId: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) })
const batchReceiveSchema = v.object({ receipts: v.array(receiptSchema) })

/**
 * Parses a request. Also accepts the method prefixes of old clients.
 *
 * @throws {RpcError} if the request is invalid.
 */
export function parseRequest(method: string, params: unknown, limits: PublishLimits): RelayRequest {
  const publish = (
    messages: readonly v.InferOutput<typeof publicationSchema>[],
    topics: readonly string[] = [],
  ): RelayRequest => ({
    type: 'publish',
    publications: messages.map((message) => toPublication(message, limits)),
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
      return { type: 'subscribe', topics, isBatch: false, blocking: name === 'irn_subscribeBlocking' }
    }
    case 'irn_batchSubscribe': {
      const { topics } = batch(params, 'topics', topicsSchema)
      return { type: 'subscribe', topics, isBatch: true, blocking: false }
    }
    case 'irn_unsubscribe':
      return { type: 'unsubscribe', topics: [parse(topicObject, params).topic] }
    case 'irn_batchUnsubscribe': {
      const { subscriptions } = batch(params, 'subscriptions', batchUnsubscribeSchema)
      return { type: 'unsubscribe', topics: subscriptions.map(({ topic }) => topic) }
    }
    case 'irn_fetchMessages':
      return { type: 'fetch', topics: [parse(topicObject, params).topic] }
    case 'irn_batchFetchMessages':
      return { type: 'fetch', topics: batch(params, 'topics', topicsSchema).topics }
    case 'irn_batchReceive':
      return { type: 'receive', receipts: batch(params, 'receipts', batchReceiveSchema).receipts }
    case 'wc_proposeSession': {
      const { pairingTopic: topic, sessionProposal: message, ttl, attestation } = parse(proposalSchema, params)
      return publish([{ topic, message, ttl, tag: 1100, attestation }], [topic])
    }
    case 'wc_approveSession': {
      const { pairingTopic, sessionTopic, ttl, ...payloads } = parse(approvalSchema, params)
      const response = { topic: pairingTopic, message: payloads.sessionProposalResponse, ttl, tag: 1101 }
      const settlement = { topic: sessionTopic, message: payloads.sessionSettlementRequest, ttl, tag: 1102 }
      return publish([response, settlement], [sessionTopic])
    }
    default:
      throw new RpcError('MethodNotFound', 'Method not found')
  }
}

function toPublication(
  { topic, message, ttl, tag, attestation }: v.InferOutput<typeof publicationSchema>,
  limits: PublishLimits,
): Publication {
  if (ttl < 1) throw new RpcError('TtlTooShort', 'The ttl is too short: the minimum is 1 second')
  if (ttl > limits.maxTtlSeconds)
    throw new RpcError('TtlTooLong', `The ttl is too long: the maximum is ${limits.maxTtlSeconds} seconds`)
  if (message.length > limits.maxMessageLength)
    throw new RpcError(
      'MessageTooLong',
      `The message is too long: the maximum is ${limits.maxMessageLength} characters`,
    )
  return { id: hash('sha256', message), topic, message, ttl, tag, attestation: attestation ?? undefined }
}

/** Parses a list of 1 to 500 items. Checks the length before parsing the items. */
function batch<Schema extends v.GenericSchema>(params: unknown, name: string, schema: Schema): v.InferOutput<Schema> {
  const items = typeof params === 'object' && params !== null ? (params as Record<string, unknown>)[name] : undefined
  if (Array.isArray(items) && items.length === 0) throw new RpcError('BatchEmpty', 'The batch is empty')
  if (Array.isArray(items) && items.length > maxBatch)
    throw new RpcError('BatchLimitExceeded', `The batch is too long: the maximum is ${maxBatch} items`)
  return parse(schema, params)
}

function parse<Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, params)
  if (result.success) return result.output
  const paths = result.issues.map((issue) => v.getDotPath(issue) ?? '').join(' ')
  throw new RpcError(/topic/i.test(paths) ? 'InvalidTopic' : 'InvalidParams', `Invalid params: ${paths}`)
}
