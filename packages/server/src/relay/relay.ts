import { readFrame, writeFrame } from '@latchkey/protocol/relay'
import type { Metrics } from '../metrics.ts'
import type { Clock, Log } from '../ports.ts'
import { type Call, CallFailure, readCall } from './calls.ts'
import { type Capacity, createCapacity, type Lease } from './capacity.ts'
import { type Door, DoorError, type Guest } from './door.ts'
import { type Mailboxes, MailboxesAway } from './mailbox.ts'
import type { SharedConnections } from './redisConnections.ts'
import { relayMetrics } from './relayMetrics.ts'
import { createSeats, failureFrame, type Seat, type Send } from './seats.ts'
import { createTurns } from './turns.ts'

/** One connection, whatever carries it. */
export interface Link {
  readonly send: Send
  close(code: number, reason: string): void
  /** Ends it without a word: its client does not read. */
  terminate?(): void
  /** Bytes that wait for its client to read. */
  unread?(): number
}

/** The relay's end of one connection. */
export interface RelayConnection {
  /** Takes what the client sends, and resolves when that is done. Bytes become text when it is their turn: V8 keeps large texts that had to wait for long. */
  text(frame: string | Buffer): Promise<void>
  /** Says how many bytes of a message have come in while the rest is under way. */
  incoming(bytes: number): void
  /** Says that fewer bytes wait for the client than before, or more. */
  unreadChanged(): void
  /** Says that the client is away. */
  gone(): void
}

/** What a relay may be asked for at most. */
export interface RelayLimits {
  /** Bytes of one frame. */
  readonly frame: number
  /** Characters of one message. */
  readonly message: number
  /** Seconds. */
  readonly ttlMost: number
  /** Topics of one client. */
  readonly topics: number
  /** Pushes of one connection that are not acknowledged. */
  readonly unheard: number
  /** Calls and publications of one connection, a batch as many as are in it: how many at once, and how many per second from then on. */
  readonly burst: number
  readonly perSecond: number
}

/** The limits of a relay that its operator has not set. */
export const relayLimits: RelayLimits = {
  frame: 2_097_152,
  message: 1_048_576,
  ttlMost: 30 * 86_400,
  topics: 5_000,
  unheard: 2_000,
  burst: 600,
  perSecond: 60,
}

/** Hands sealed messages from one client to the others of a topic. */
export interface Relay {
  /** Lets a client in once it is admitted. */
  accept(link: Link, guest: Promise<Guest>): RelayConnection
  /** Answers one call of a guest without a connection: no subscriptions. */
  call(guest: Guest, text: string): Promise<string>
  /** Tries again where the mailboxes were away, and forgets what has expired. */
  sweep(): void
  close(): void
}

const tooMany = 3001
const failed = 1011

/** More than this waits for no client: what else there is waits in its mailbox. */
const unreadAtOnce = 1_048_576
/** What any call costs beside its bytes, and each topic that is looked through. */
const price = { call: 256, topic: 1_024 } as const

/** A relay over its mailboxes. */
export function createRelay({
  mailboxes,
  door,
  metrics: counters,
  log,
  now,
  clock = () => performance.now(),
  capacity = createCapacity({ clock }),
  connections,
  pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
  limits = relayLimits,
}: {
  mailboxes: Mailboxes
  door: Pick<Door, 'mayAsk'>
  metrics: Metrics
  log: Log
  now: () => number
  /** [performance.now] What rates and waits are measured by: it never goes back, as the wall clock may. */
  clock?: Clock
  capacity?: Capacity
  /** Counts connections for all instances together, where there are several. */
  connections?: SharedConnections | undefined
  /** [the machine's clock] Resolves after so many milliseconds. */
  pause?: (ms: number) => Promise<void>
  limits?: RelayLimits
}): Relay {
  const metrics = relayMetrics(counters)
  const turns = createTurns({ clock })
  const seats = createSeats({ mailboxes, metrics, now, topicsMost: limits.topics, unheardMost: limits.unheard })
  const links = new Set<Link>()
  counters.gauge('latchkey_relay_mailboxes_up', () => Number(mailboxes.ready()))
  const held = mailboxes.held
  if (held) {
    counters.gauge('latchkey_relay_letters', () => held().letters)
    counters.gauge('latchkey_relay_letters_bytes', () => held().bytes)
  }

  const publish = async (guest: Guest, publications: Extract<Call, { do: 'publish' }>['publications']) => {
    for (const { ttl, ...publication } of publications) {
      // Whoever publishes pays for each who is told.
      capacity.charge(guest, publication.message.length * seats.listeners(publication.topic))
      const from = performance.now()
      const at = now()
      const letter = { ...publication, publishedAt: at, expiresAt: at + ttl * 1000, from: guest.client }
      const kept = await mailboxes.put(letter, guest)
      if (kept === 'full') throw new CallFailure('MailboxLimitExceeded', 'The topic holds too many messages')
      if (kept === 'heavy')
        throw new CallFailure('MailboxLimitExceeded', 'Too many of your messages wait: try again when some are taken')
      metrics.published(publication.tag, (performance.now() - from) / 1000)
    }
  }

  /** The answer of a call, and what is handed over after it. */
  const act = async (seat: Seat & Guest, call: Call): Promise<{ result: unknown; after?: readonly string[] }> => {
    switch (call.do) {
      case 'publish':
        if (call.topics.length > 0) await seats.subscribe(seat, call.topics)
        // Whoever subscribed hears, whatever becomes of the publication.
        await publish(seat, call.publications).catch(async (error: unknown) => {
          await seats.flush(seat, call.topics)
          throw error
        })
        return { result: true, after: call.topics }
      case 'subscribe': {
        const ids = await seats.subscribe(seat, call.topics)
        if (call.blocking) await seats.flush(seat, call.topics)
        return { result: call.each ? ids : ids[0], ...(call.blocking ? {} : { after: call.topics }) }
      }
      case 'unsubscribe':
        seats.unsubscribe(seat, call.topics)
        return { result: true }
      case 'fetch':
        capacity.charge(seat, price.topic * call.topics.length)
        return { result: await seats.fetch(seat, call.topics) }
      case 'receive':
        // A letter is done when a client that did not write it, and listens on its topic, has it.
        for (const { topic, messageId } of call.receipts)
          if (seat.topics.has(topic)) await mailboxes.remove({ topic, id: messageId, by: seat.client })
        return { result: true }
    }
  }

  const unavailable = { count: 0, loggedAt: Number.NEGATIVE_INFINITY }
  /** One line for many refusals: a store that is away must not fill the log. */
  const noticeUnavailable = (reason: string): void => {
    unavailable.count += 1
    if (clock() - unavailable.loggedAt < 5_000) return
    log('warn', 'relay calls were refused, as their mailboxes cannot be reached', {
      code: 'MailboxUnavailable',
      reason,
      count: unavailable.count,
    })
    unavailable.count = 0
    unavailable.loggedAt = clock()
  }

  const failureOf = (error: unknown): CallFailure => {
    if (error instanceof CallFailure) return error
    if (error instanceof MailboxesAway) noticeUnavailable(error.message)
    if (error instanceof MailboxesAway)
      return new CallFailure('MailboxUnavailable', 'The relay cannot reach its mailboxes: try again')
    log('error', 'a relay call failed', errorFields(error))
    return new CallFailure('Internal', 'The relay failed')
  }
  const refuse = (id: string, error: unknown): string => {
    const failure = failureOf(error)
    metrics.refused('call', failure.tag)
    return failureFrame(id, failure)
  }
  const unreadable = (): string => refuse('null', new CallFailure('InvalidRequest', 'Invalid request'))

  /** `mayPublish` says whether so many publications more are allowed, beside the one that any frame may hold. */
  const take = async (
    seat: Seat & Guest,
    text: string,
    mayPublish: (more: number) => Promise<boolean>,
  ): Promise<void> => {
    const frame = readFrame(text)
    if (!frame?.id) {
      seat.send(unreadable())
      return
    }
    const { id, body } = frame
    if (typeof body.method !== 'string') {
      const letter = seat.pushed.get(id)
      // An error is no acknowledgement: the client could not handle it, and gets it again.
      if (!letter || body.error) return
      seat.pushed.delete(id)
      await mailboxes.remove({ ...letter, by: seat.client }).catch(() => {})
      // All that was handed over is taken: what had to wait for it comes now.
      if (seat.pushed.size === 0) seats.catchUp(seat)
      return
    }
    try {
      const call = readCall(body.method, body.params, limits)
      if (call.do === 'publish' && !(await mayPublish(call.publications.length - 1))) return
      const { result, after } = await act(seat, call)
      seat.send(writeFrame(id, { result }))
      if (after && after.length > 0) await seats.flush(seat, after)
    } catch (error) {
      seat.send(refuse(id, error))
    }
  }

  return {
    accept(link, guest) {
      let seat: (Seat & Guest) | undefined
      let lease: Lease | undefined
      let away = false
      let tokens = limits.burst
      let countedAt = clock()
      /** Bytes of calls that wait for their turn, and of one that has come in in part. */
      let [waiting, partial] = [0, 0]
      let drained: (() => void) | undefined
      const unread = (): number => link.unread?.() ?? 0
      const refuse = (error: DoorError): void => {
        metrics.refused('connection', error.tag)
        link.close(error.closeCode, error.message)
      }
      let counted: Guest['groups'] = []
      const leave = (): void => {
        away = true
        lease?.end()
        connections?.close(counted)
        counted = []
        drained?.()
        if (!seat) return
        links.delete(link)
        seats.unsubscribe(seat, [...seat.topics.keys()])
        metrics.gone()
        seat = undefined
      }
      const counting = async (admitted: Guest): Promise<Guest> => {
        if (!connections) return admitted
        if (!(await connections.open(admitted.groups))) throw new DoorError('TooManyRequests', 'Too many connections')
        if (away) connections.close(admitted.groups)
        else counted = admitted.groups
        return admitted
      }
      let turn: Promise<void> = guest.then(counting).then(
        (admitted) => {
          if (away) return
          const opened = capacity.open(admitted, (why) => {
            metrics.refused('connection', `Evicted:${why}`)
            leave()
            // A client that does not read would not read this either.
            if (why === 'unread') (link.terminate ?? (() => link.close(tooMany, 'Too much is unread')))()
            else link.close(tooMany, 'Too many requests')
          })
          if (typeof opened === 'string') {
            leave()
            refuse(new DoorError('TooManyRequests', 'Too many connections'))
            return
          }
          lease = opened
          lease.input(waiting + partial)
          seat = {
            ...admitted,
            send(...parts) {
              lease?.charge(parts.reduce((sum, { length }) => sum + length, 0))
              link.send(...parts)
            },
            hasRoom: () => unread() < unreadAtOnce,
            reserve: opened.topics,
            topics: new Map(),
            behind: new Set(),
            pushed: new Map(),
            shown: new Set(),
            inTurn,
          }
          links.add(link)
          metrics.connected()
        },
        (error: unknown) => {
          if (error instanceof DoorError) {
            refuse(error)
            return
          }
          log('error', 'a relay client could not be checked', errorFields(error))
          metrics.refused('connection', 'Internal')
          link.close(failed, 'The relay failed')
        },
      )
      /** Until this client has read what it asked for, has paid for it, and it is its turn. */
      const allowed = async (): Promise<void> => {
        while (seat && unread() >= unreadAtOnce)
          await new Promise<void>((resolve) => {
            drained = resolve
          })
        drained = undefined
        for (let ms = lease?.waitMs() ?? 0; seat && ms > 0; ms = lease?.waitMs() ?? 0) await pause(ms)
        if (seat) await turns.next(seat.groups[0]?.name ?? seat.client)
      }
      const inTurn = (task: () => Promise<void>): Promise<void> => {
        turn = turn.then(async () => {
          if (!seat) return
          await allowed()
          if (seat) await task()
        })
        return turn
      }
      const spend = (calls: number): boolean => {
        const at = clock()
        tokens = Math.min(limits.burst, tokens + ((at - countedAt) / 1000) * limits.perSecond)
        countedAt = at
        if (tokens < calls) return false
        tokens -= calls
        return true
      }
      const flooded = (): void => {
        metrics.refused('call', 'TooManyRequests')
        link.close(tooMany, 'Too many requests')
        // Nothing that still waits is done.
        leave()
      }
      return {
        async text(frame) {
          if (away) return
          partial = 0
          if (!spend(1)) return flooded()
          if (Buffer.byteLength(frame) > limits.frame) return link.close(1009, 'The message is too long')
          waiting += frame.length
          lease?.input(waiting)
          await inTurn(async () => {
            lease?.charge(frame.length + price.call)
            if (seat && !(await door.mayAsk(seat))) flooded()
            else if (seat)
              await take(seat, String(frame), async (more) => {
                const may = more === 0 || (spend(more) && (!seat || (await door.mayAsk(seat, more))))
                if (!may) flooded()
                return may
              })
          })
          waiting -= frame.length
          lease?.input(waiting + partial)
        },
        incoming(bytes) {
          partial += bytes
          lease?.input(waiting + partial)
        },
        unreadChanged() {
          const bytes = unread()
          lease?.unread(bytes)
          if (bytes >= unreadAtOnce / 2) return
          drained?.()
          if (seat) seats.catchUp(seat)
        },
        gone: leave,
      }
    },
    async call(guest, text) {
      const frame = readFrame(text)
      if (!frame?.id || typeof frame.body.method !== 'string') return unreadable()
      try {
        if (capacity.waitMs(guest) > 0 || !(await door.mayAsk(guest)))
          throw new DoorError('TooManyRequests', 'Too many requests')
        capacity.charge(guest, text.length + price.call)
        await turns.next(guest.groups[0]?.name ?? guest.client)
        const call = readCall(frame.body.method, frame.body.params, limits)
        const { client } = guest
        const more = call.do === 'publish' ? call.publications.length - 1 : 0
        if (more > 0 && !(await door.mayAsk(guest, more))) throw new DoorError('TooManyRequests', 'Too many requests')
        if (call.do === 'publish' && call.topics.length === 0) {
          await publish(guest, call.publications)
          return writeFrame(frame.id, { result: true })
        }
        if (call.do === 'fetch') {
          capacity.charge(guest, price.topic * call.topics.length)
          const answer = writeFrame(frame.id, {
            result: await seats.fetch({ client, shown: new Set() }, call.topics),
          })
          capacity.charge(guest, answer.length)
          return answer
        }
        if (call.do === 'receive') {
          for (const { topic, messageId } of call.receipts) await mailboxes.remove({ topic, id: messageId, by: client })
          return writeFrame(frame.id, { result: true })
        }
        throw new CallFailure('MethodNotFound', 'This call needs a connection')
      } catch (error) {
        if (error instanceof DoorError) throw error
        return refuse(frame.id, error)
      }
    },
    sweep() {
      mailboxes.sweep()
      seats.catchUpAll()
    },
    close() {
      seats.close()
      for (const link of [...links]) link.close(1001, 'The relay is going away')
    },
  }
}

function errorFields(error: unknown): Record<string, string> {
  const { name, code, stack } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException
  return { error: name ?? 'unknown', ...(code ? { code } : {}), ...(stack ? { stack } : {}) }
}
