import type { MiddlewareHandler } from 'hono'
import { addressGroups } from './clientAddress.ts'
import { Failure } from './failure.ts'
import type { Caller } from './ports.ts'

/** How much requests may hold in memory at once, in bytes. */
export interface InFlightLimits {
  /** All requests of one client together; groups of addresses have a multiple of it. */
  readonly perAddress: number
  /** All requests of this process together. */
  readonly total: number
}

/** What one request holds until its answer is sent. */
export interface Lease {
  /** Counts bytes that are held from now on; throws a Failure where the address or the process holds too much. */
  take(bytes: number): void
  /** Gives everything back. */
  end(): void
}

/** Counts what all open requests hold. */
export interface InFlight {
  begin(address: string | undefined): Lease
  /** What is held now, by all requests together. */
  held(): number
}

/** The limits where nothing is configured. */
export const inFlightLimits: InFlightLimits = { perAddress: 12_582_912, total: 134_217_728 }

/** What a request costs beyond the bytes of its body: its headers, its socket, its place in the stack. */
const requestBytes = 32_768

/** What a call holds while a node thinks about it, beyond its bytes. */
export const callBytes = 98_304

/** Counts the bytes of bodies and answers, per group of addresses and in all. */
export function createInFlight(limits: InFlightLimits = inFlightLimits): InFlight {
  const groups = new Map<string, number>()
  let total = 0

  return {
    held: () => total,
    begin(address) {
      const mine = addressGroups(address)
      let taken = 0
      return {
        take(bytes) {
          if (total + bytes > limits.total)
            throw new Failure(503, 'server', 'The server is busy: try again in a moment', 1)
          for (const { name, share } of mine)
            if ((groups.get(name) ?? 0) + bytes > limits.perAddress * share)
              throw new Failure(429, 'address', 'Too much at once from this address: try again in a moment', 1)
          for (const { name } of mine) groups.set(name, (groups.get(name) ?? 0) + bytes)
          total += bytes
          taken += bytes
        },
        end() {
          for (const { name } of mine) {
            const left = (groups.get(name) ?? 0) - taken
            if (left > 0) groups.set(name, left)
            else groups.delete(name)
          }
          total -= taken
          taken = 0
        },
      }
    },
  }
}

/** What `boundInFlight` adds to a Hono context. */
export interface InFlightVariables {
  readonly lease: Lease
}

/**
 * Counts every body of an app while it is read, whichever route reads it, and what routes add to the lease; refuses with
 * 429 or 503 before the limit is passed. A lease ends when the answer is sent, not when it is made: a client that does not
 * read makes the server hold it.
 */
export function boundInFlight(
  inFlight: InFlight,
): MiddlewareHandler<{ Bindings: Caller; Variables: InFlightVariables }> {
  return async (c, next) => {
    // An instance must not be taken out of service because somebody asks a lot.
    if (c.req.path === '/health' || c.req.path === '/ready') return next()
    const lease = inFlight.begin(c.env?.address)
    try {
      lease.take(requestBytes)
      c.set('lease', lease)
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.req.raw.body) c.req.raw = counted(c.req.raw, lease)
      await next()
    } finally {
      if (c.env?.onSent) c.env.onSent(lease.end)
      else lease.end()
    }
  }
}

function counted(request: Request, lease: Lease): Request {
  const body = request.body as ReadableStream<Uint8Array>
  const reader = body.getReader()
  const counting = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch(() => {
          throw new Failure(400, 'body', 'The body ended before it was complete')
        })
        if (done) {
          controller.close()
          return
        }
        try {
          lease.take(value.byteLength)
        } catch (error) {
          await reader.cancel().catch(() => {})
          throw error
        }
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before a route asks for it.
    { highWaterMark: 0 },
  )
  const { method, headers, signal, url } = request
  return new Request(url, { method, headers, signal, body: counting, duplex: 'half' } as RequestInit)
}
