import { createHash } from 'node:crypto'
import { originAllowed } from '@latchkey/protocol/origins'
import { batchMost, readFrame, topicSchema, writeFrame } from '@latchkey/protocol/relay'
import * as v from 'valibot'
import type { Metrics } from '../metrics.ts'
import type { Log, Projects } from '../ports.ts'
import type { Letter, Mailboxes } from './mailbox.ts'
import { clientOf, TokenError } from './token.ts'

/** One connection, whatever carries it. */
export interface Link {
  send(text: string): void
  close(code: number, reason: string): void
}

/** What a client says when it connects. */
export interface Greeting {
  readonly auth: string | undefined
  readonly projectId: string | undefined
  readonly origin: string | undefined
  /** The name that the client reached us by: its token must be made for it. */
  readonly host: string | undefined
}

/** What a relay may be asked for at most. */
export interface RelayLimits {
  /** Bytes of one frame. */
  readonly frame: number
  /** Seconds. */
  readonly ttlMost: number
  /** Topics of one client. */
  readonly topics: number
  /** Frames of one connection: how many at once, and how many per second from then on. */
  readonly burst: number
  readonly perSecond: number
}

/** The limits of a relay that its operator has not set. */
export const relayLimits: RelayLimits = {
  frame: 2_097_152,
  ttlMost: 30 * 86_400,
  topics: 5_000,
  burst: 400,
  perSecond: 60,
}

/** Hands sealed messages from one client to the others of a topic (specification, services 4). */
export interface Relay {
  /** Lets a client in. `text` takes what it sends, `gone` says that it is away. */
  accept(link: Link, greeting: Greeting): { text(frame: string): void; gone(): void }
  close(): void
}

/** The refusal of a connection. */
const refused = 3000
const tooMany = 3001

interface Seat {
  readonly link: Link
  readonly client: string
  readonly topics: Map<string, string>
  /** What was pushed and not yet acknowledged, by the id of the push. */
  readonly pushed: Map<string, Letter>
}

class RelayFailure extends Error {
  readonly code: number
  readonly tag: string
  constructor(code: number, tag: string, message: string) {
    super(message)
    this.code = code
    this.tag = tag
  }
}

const publicationSchema = v.object({
  topic: topicSchema,
  message: v.pipe(v.string(), v.nonEmpty()),
  ttl: v.pipe(v.number(), v.integer()),
  tag: v.optional(v.pipe(v.number(), v.integer()), 0),
  attestation: v.nullish(v.string()),
})
const topicsSchema = v.object({ topics: v.pipe(v.array(topicSchema), v.minLength(1), v.maxLength(batchMost)) })
const oneTopicSchema = v.object({ topic: topicSchema })
const proposalSchema = v.object({
  pairingTopic: topicSchema,
  sessionProposal: v.string(),
  ttl: v.optional(v.pipe(v.number(), v.integer()), 300),
  attestation: v.nullish(v.string()),
})
const approvalSchema = v.object({
  pairingTopic: topicSchema,
  sessionTopic: topicSchema,
  sessionProposalResponse: v.string(),
  sessionSettlementRequest: v.string(),
  ttl: v.optional(v.pipe(v.number(), v.integer()), 300),
})

/** A relay over its mailboxes. */
export function createRelay({
  mailboxes,
  projects,
  metrics,
  log,
  now,
  limits = relayLimits,
}: {
  mailboxes: Mailboxes
  projects: Projects
  metrics: Metrics
  log: Log
  now: () => number
  limits?: RelayLimits
}): Relay {
  const seats = new Map<string, Set<Seat>>()
  const all = new Set<Seat>()
  let lastPush = 0

  const push = (seat: Seat, letter: Letter): void => {
    const sub = seat.topics.get(letter.topic)
    if (sub === undefined || letter.from === seat.client) return
    const id = String(++lastPush)
    seat.pushed.set(id, letter)
    const { topic, message, tag, publishedAt, attestation } = letter
    const data = { topic, message, publishedAt, tag, attestation: attestation ?? null }
    seat.link.send(writeFrame(id, { method: 'irn_subscription', params: { id: sub, data } }))
    metrics.count('latchkey_relay_messages_total', { what: 'delivered' })
  }

  const stopListening = mailboxes.listen((letter) => {
    for (const seat of seats.get(letter.topic) ?? []) push(seat, letter)
  })

  const subscribe = async (seat: Seat, topics: readonly string[]): Promise<string[]> => {
    const fresh = topics.filter((topic) => !seat.topics.has(topic))
    if (seat.topics.size + fresh.length > limits.topics)
      throw new RelayFailure(-32600, 'SubscriberLimitExceeded', 'Too many topics')
    for (const topic of fresh) {
      seat.topics.set(topic, createHash('sha256').update(`${seat.client}${topic}`).digest('hex'))
      const set = seats.get(topic) ?? new Set()
      set.add(seat)
      seats.set(topic, set)
    }
    return topics.map((topic) => seat.topics.get(topic) as string)
  }

  /** Hands over what waits, once the answer to the subscription is out. */
  const flush = async (seat: Seat, topics: readonly string[]): Promise<void> => {
    for (const topic of new Set(topics)) for (const letter of await mailboxes.waiting(topic)) push(seat, letter)
  }

  const unsubscribe = (seat: Seat, topic: string): void => {
    seat.topics.delete(topic)
    const set = seats.get(topic)
    set?.delete(seat)
    if (set?.size === 0) seats.delete(topic)
  }

  const publish = async (
    seat: Seat,
    { topic, message, ttl, tag, attestation }: v.InferOutput<typeof publicationSchema>,
  ): Promise<true> => {
    if (ttl < 1) throw new RelayFailure(-32600, 'TtlTooShort', 'The ttl is too short')
    if (ttl > limits.ttlMost) throw new RelayFailure(-32600, 'TtlTooLong', 'The ttl is too long')
    const at = now()
    const kept = await mailboxes.put({
      id: createHash('sha256').update(message).digest('hex'),
      topic,
      message,
      tag,
      attestation: attestation ?? undefined,
      publishedAt: at,
      expiresAt: at + ttl * 1000,
      from: seat.client,
    })
    if (kept === 'full') throw new RelayFailure(-32600, 'MailboxLimitExceeded', 'The topic holds too many messages')
    metrics.count('latchkey_relay_messages_total', { what: 'published' })
    return true
  }

  const parse = <Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> => {
    const given = v.safeParse(schema, params)
    if (given.success) return given.output
    const about = given.issues.map((issue) => v.getDotPath(issue) ?? '').join(' ')
    throw new RelayFailure(-32600, /topic/i.test(about) ? 'InvalidTopic' : 'InvalidParams', `Invalid params: ${about}`)
  }

  const fetched = async (seat: Seat, topics: readonly string[]): Promise<unknown> => {
    const letters = (await Promise.all(topics.map((topic) => mailboxes.waiting(topic)))).flat()
    const messages = letters
      .filter(({ from }) => from !== seat.client)
      .map(({ topic, message, publishedAt, tag, attestation }) => ({ topic, message, publishedAt, tag, attestation }))
    return { messages, hasMore: false }
  }

  /** What a call comes to, and what is handed over after its answer. */
  const act = async (
    seat: Seat,
    method: string,
    params: unknown,
  ): Promise<{ result: unknown; after?: readonly string[] }> => {
    switch (method.replace(/^(iridium|waku)_/, 'irn_')) {
      case 'irn_publish':
        return { result: await publish(seat, parse(publicationSchema, params)) }
      case 'irn_batchPublish': {
        const schema = v.object({
          messages: v.pipe(v.array(publicationSchema), v.minLength(1), v.maxLength(batchMost)),
        })
        for (const one of parse(schema, params).messages) await publish(seat, one)
        return { result: true }
      }
      case 'irn_subscribe':
      case 'irn_subscribeBlocking': {
        const { topic } = parse(oneTopicSchema, params)
        const [id] = await subscribe(seat, [topic])
        return { result: id, after: [topic] }
      }
      case 'irn_batchSubscribe': {
        const { topics } = parse(topicsSchema, params)
        return { result: await subscribe(seat, topics), after: topics }
      }
      case 'irn_unsubscribe':
        unsubscribe(seat, parse(oneTopicSchema, params).topic)
        return { result: true }
      case 'irn_batchUnsubscribe': {
        const schema = v.object({
          subscriptions: v.pipe(v.array(oneTopicSchema), v.minLength(1), v.maxLength(batchMost)),
        })
        for (const { topic } of parse(schema, params).subscriptions) unsubscribe(seat, topic)
        return { result: true }
      }
      case 'irn_fetchMessages':
        return { result: await fetched(seat, [parse(oneTopicSchema, params).topic]) }
      case 'irn_batchFetchMessages':
        return { result: await fetched(seat, parse(topicsSchema, params).topics) }
      case 'irn_batchReceive': {
        const receipt = v.object({ topic: topicSchema, messageId: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) })
        const schema = v.object({ receipts: v.pipe(v.array(receipt), v.maxLength(batchMost)) })
        for (const { topic, messageId } of parse(schema, params).receipts) await received(seat, topic, messageId)
        return { result: true }
      }
      case 'wc_proposeSession': {
        const { pairingTopic: topic, sessionProposal: message, ttl, attestation } = parse(proposalSchema, params)
        await subscribe(seat, [topic])
        return { result: await publish(seat, { topic, message, ttl, tag: 1100, attestation }), after: [topic] }
      }
      case 'wc_approveSession': {
        const given = parse(approvalSchema, params)
        const { pairingTopic, sessionTopic, ttl } = given
        await subscribe(seat, [sessionTopic])
        await publish(seat, { topic: pairingTopic, message: given.sessionProposalResponse, ttl, tag: 1101 })
        await publish(seat, { topic: sessionTopic, message: given.sessionSettlementRequest, ttl, tag: 1102 })
        return { result: true, after: [sessionTopic] }
      }
      default:
        throw new RelayFailure(-32601, 'MethodNotFound', 'Method not found')
    }
  }

  /** A letter is done when a client that did not write it, and listens on its topic, has it. */
  const received = async (seat: Seat, topic: string, id: string): Promise<void> => {
    if (!seat.topics.has(topic)) return
    const letter = (await mailboxes.waiting(topic)).find((one) => one.id === id)
    if (letter && letter.from !== seat.client) await mailboxes.remove(topic, id)
  }

  const take = async (seat: Seat, text: string): Promise<void> => {
    const frame = readFrame(text)
    if (!frame?.id) {
      seat.link.send(
        writeFrame('null', { error: { code: -32600, message: 'Invalid request', data: 'InvalidRequest' } }),
      )
      return
    }
    const { id, body } = frame
    if (typeof body.method !== 'string') {
      const letter = seat.pushed.get(id)
      if (letter) {
        seat.pushed.delete(id)
        await mailboxes.remove(letter.topic, letter.id)
      }
      return
    }
    try {
      const { result, after } = await act(seat, body.method, body.params)
      seat.link.send(writeFrame(id, { result }))
      if (after) await flush(seat, after)
    } catch (error) {
      const known = error instanceof RelayFailure
      if (!known) log('error', 'a relay call failed', { error: error instanceof Error ? error.name : 'unknown' })
      const failure = known ? error : new RelayFailure(-32603, 'Internal', 'The relay failed')
      seat.link.send(writeFrame(id, { error: { code: failure.code, message: failure.message, data: failure.tag } }))
    }
  }

  const admit = async ({ auth, projectId, origin, host }: Greeting): Promise<string> => {
    if (!auth) throw new TokenError('JWT validation error: JWT is missing')
    const client = await clientOf(auth, { audience: host, now: now() })
    const known = await projects.all()
    if (known.length === 0) return client
    const project = known.find(({ id }) => id === projectId)
    if (!project) throw new TokenError('Project not found')
    // A wallet that is no page has no Origin; what it can read is sealed in any case.
    if (origin !== undefined && project.allowedOrigins.length > 0 && !originAllowed(origin, project.allowedOrigins))
      throw new TokenError('Unauthorized: origin not allowed')
    return client
  }

  return {
    accept(link, greeting) {
      let seat: Seat | undefined
      let away = false
      let tokens = limits.burst
      let countedAt = now()
      // One after the other: what a client says first is done first.
      let turn: Promise<void> = admit(greeting).then(
        (client) => {
          if (away) return
          seat = { link, client, topics: new Map(), pushed: new Map() }
          all.add(seat)
          metrics.count('latchkey_relay_connections_total', { outcome: 'accepted' })
        },
        (error: unknown) => {
          const known = error instanceof TokenError
          if (!known) log('error', 'a relay client could not be checked', { error: 'unknown' })
          metrics.count('latchkey_relay_connections_total', { outcome: 'refused' })
          link.close(known ? refused : 1011, known ? error.message : 'The relay failed')
        },
      )
      return {
        text(frame) {
          const at = now()
          tokens = Math.min(limits.burst, tokens + ((at - countedAt) / 1000) * limits.perSecond)
          countedAt = at
          if (tokens < 1) {
            link.close(tooMany, 'Too many requests')
            return
          }
          tokens -= 1
          if (Buffer.byteLength(frame) > limits.frame) {
            link.close(1009, 'The message is too long')
            return
          }
          turn = turn.then(() => (seat && !away ? take(seat, frame) : undefined))
        },
        gone() {
          away = true
          if (!seat) return
          all.delete(seat)
          for (const topic of [...seat.topics.keys()]) unsubscribe(seat, topic)
        },
      }
    },
    close() {
      stopListening()
      for (const { link } of [...all]) link.close(1001, 'The relay is going away')
    },
  }
}
