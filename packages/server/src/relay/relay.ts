import { readFrame, writeFrame } from '@latchkey/protocol/relay'
import type { Metrics } from '../metrics.ts'
import type { Log } from '../ports.ts'
import { type Call, CallFailure, readCall } from './calls.ts'
import { type Door, DoorError, type Guest } from './door.ts'
import { type Mailboxes, MailboxesAway } from './mailbox.ts'
import { relayMetrics } from './relayMetrics.ts'
import { createSeats, failureFrame, type Seat } from './seats.ts'

/** One connection, whatever carries it. */
export interface Link {
  send(text: string): void
  close(code: number, reason: string): void
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
  unheard: 5_000,
  burst: 600,
  perSecond: 60,
}

/** Hands sealed messages from one client to the others of a topic (specification, services 4). */
export interface Relay {
  /** Lets a client in once it is admitted. `text` takes what it sends and resolves when that is done; `gone` says that it is away. */
  accept(link: Link, guest: Promise<Guest>): { text(frame: string): Promise<void>; gone(): void }
  /** Answers one call of a guest without a connection: no subscriptions. */
  call(guest: Guest, text: string): Promise<string>
  /** Tries again where the mailboxes were away, and forgets what has expired. */
  sweep(): void
  close(): void
}

const tooMany = 3001
const failed = 1011

/** A relay over its mailboxes. */
export function createRelay({
  mailboxes,
  door,
  metrics: counters,
  log,
  now,
  limits = relayLimits,
}: {
  mailboxes: Mailboxes
  door: Pick<Door, 'mayAsk'>
  metrics: Metrics
  log: Log
  now: () => number
  limits?: RelayLimits
}): Relay {
  const metrics = relayMetrics(counters)
  const seats = createSeats({ mailboxes, metrics, now, topicsMost: limits.topics, unheardMost: limits.unheard })
  const links = new Set<Link>()
  counters.gauge('latchkey_relay_mailboxes_up', () => Number(mailboxes.ready()))
  const held = mailboxes.held
  if (held) {
    counters.gauge('latchkey_relay_letters', () => held().letters)
    counters.gauge('latchkey_relay_letters_bytes', () => held().bytes)
  }

  const publish = async (
    { client, network = client }: Guest,
    publications: Extract<Call, { do: 'publish' }>['publications'],
  ) => {
    for (const { ttl, ...publication } of publications) {
      const from = performance.now()
      const at = now()
      const letter = { ...publication, publishedAt: at, expiresAt: at + ttl * 1000, from: client }
      const kept = await mailboxes.put(letter, network)
      if (kept === 'full') throw new CallFailure('MailboxLimitExceeded', 'The topic holds too many messages')
      if (kept === 'heavy')
        throw new CallFailure('MailboxLimitExceeded', 'Too many of your messages wait: try again when some are taken')
      metrics.published(publication.tag, (performance.now() - from) / 1000)
    }
  }

  /** The answer of a call, and what is handed over after it. */
  const act = async (seat: Seat, call: Call): Promise<{ result: unknown; after?: readonly string[] }> => {
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
        return { result: await seats.fetch(seat, call.topics) }
      case 'receive':
        // A letter is done when a client that did not write it, and listens on its topic, has it.
        for (const { topic, messageId } of call.receipts)
          if (seat.topics.has(topic)) await mailboxes.remove({ topic, id: messageId, by: seat.client })
        return { result: true }
    }
  }

  const failureOf = (error: unknown): CallFailure => {
    if (error instanceof CallFailure) return error
    if (error instanceof MailboxesAway)
      return new CallFailure('MailboxUnavailable', 'The relay cannot reach its mailboxes: try again')
    log('error', 'a relay call failed', { error: error instanceof Error ? error.name : 'unknown' })
    return new CallFailure('Internal', 'The relay failed')
  }
  const refuse = (id: string, error: unknown): string => {
    const failure = failureOf(error)
    metrics.refused('call', failure.tag)
    return failureFrame(id, failure)
  }
  const unreadable = (): string => refuse('null', new CallFailure('InvalidRequest', 'Invalid request'))

  /** `mayPublish` says whether so many publications more are allowed, beside the one that any frame may hold. */
  const take = async (seat: Seat, text: string, mayPublish: (more: number) => Promise<boolean>): Promise<void> => {
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
      let seat: Seat | undefined
      let who: Guest | undefined
      let away = false
      let tokens = limits.burst
      let countedAt = now()
      let turn: Promise<void> = guest.then(
        (admitted) => {
          if (away) return
          who = admitted
          seat = {
            ...admitted,
            send: (text) => link.send(text),
            topics: new Map(),
            pushed: new Map(),
            shown: new Set(),
            inTurn,
          }
          links.add(link)
          metrics.connected()
        },
        (error: unknown) => {
          const known = error instanceof DoorError
          if (!known) log('error', 'a relay client could not be checked', { error: 'unknown' })
          metrics.refused('connection', known ? error.tag : 'Internal')
          link.close(known ? error.closeCode : failed, known ? error.message : 'The relay failed')
        },
      )
      const inTurn = (task: () => Promise<void>): Promise<void> => {
        turn = turn.then(() => (seat && !away ? task() : undefined))
        return turn
      }
      const spend = (calls: number): boolean => {
        const at = now()
        tokens = Math.min(limits.burst, tokens + ((at - countedAt) / 1000) * limits.perSecond)
        countedAt = at
        if (tokens < calls) return false
        tokens -= calls
        return true
      }
      const flooded = (): void => {
        metrics.refused('call', 'TooManyRequests')
        link.close(tooMany, 'Too many requests')
      }
      return {
        async text(frame) {
          if (!spend(1)) return flooded()
          if (Buffer.byteLength(frame) > limits.frame) return link.close(1009, 'The message is too long')
          await inTurn(async () => {
            if (who && !(await door.mayAsk(who))) flooded()
            else if (seat)
              await take(seat, frame, async (more) => {
                const may = more === 0 || (spend(more) && (!who || (await door.mayAsk(who, more))))
                if (!may) flooded()
                return may
              })
          })
        },
        gone() {
          away = true
          if (!seat) return
          links.delete(link)
          seats.unsubscribe(seat, [...seat.topics.keys()])
          metrics.gone()
          seat = undefined
        },
      }
    },
    async call(guest, text) {
      const frame = readFrame(text)
      if (!frame?.id || typeof frame.body.method !== 'string') return unreadable()
      try {
        if (!(await door.mayAsk(guest))) throw new DoorError('TooManyRequests', 'Too many requests')
        const call = readCall(frame.body.method, frame.body.params, limits)
        const { client } = guest
        const more = call.do === 'publish' ? call.publications.length - 1 : 0
        if (more > 0 && !(await door.mayAsk(guest, more))) throw new DoorError('TooManyRequests', 'Too many requests')
        if (call.do === 'publish' && call.topics.length === 0) {
          await publish(guest, call.publications)
          return writeFrame(frame.id, { result: true })
        }
        if (call.do === 'fetch')
          return writeFrame(frame.id, { result: await seats.fetch({ client, shown: new Set() }, call.topics) })
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
      seats.catchUp()
    },
    close() {
      seats.close()
      for (const link of [...links]) link.close(1001, 'The relay is going away')
    },
  }
}
