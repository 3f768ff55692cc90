import type { MiddlewareHandler } from 'hono'
import { digestedGroups } from './clientAddress.ts'
import { HttpError } from './httpError.ts'
import { createMemoryQuota, type MemoryQuota } from './memoryQuota.ts'
import type { Caller, InFlight, Lease } from './serverPorts.ts'

/** How much requests may hold in memory at once, in bytes. */
export interface InFlightLimits {
  /** All of one client together; groups of addresses have a multiple of it. */
  readonly perAddress: number
  /** All requests of this process together. */
  readonly total: number
}

/** The limits where nothing is configured. */
export const inFlightLimits: InFlightLimits = { perAddress: 16_777_216, total: 134_217_728 }

/** What a request costs beyond the bytes of its body: its headers, its socket, its place in the stack. */
const requestBytes = 32_768

/** What a call holds while a node thinks about it, beyond its bytes. */
export const callBytes = 98_304

/** Counts the bytes of bodies and answers: in all, and with whatever else their addresses hold. */
export function createInFlight(
  limits: InFlightLimits = inFlightLimits,
  heldBytes: MemoryQuota = createMemoryQuota(limits.perAddress),
): InFlight {
  let total = 0

  return {
    held: () => total,
    begin(address) {
      const groups = digestedGroups(address)
      let [taken, expected, isOver] = [0, 0, false]
      const hold = (bytes: number): void => {
        if (heldBytes.exceeded(groups, bytes) >= 0)
          throw new HttpError(429, 'address', 'Too much at once from this address: try again in a moment', 1)
        heldBytes.add(groups, bytes)
      }
      return {
        take(bytes) {
          // Of a client that has left: nothing would give it back.
          if (isOver) return
          if (total + bytes > limits.total)
            throw new HttpError(503, 'server', 'The server is busy: try again in a moment', 1)
          const isExpected = Math.min(bytes, expected)
          hold(bytes - isExpected)
          expected -= isExpected
          total += bytes
          taken += bytes
        },
        expect(bytes) {
          if (isOver) return
          hold(bytes)
          expected += bytes
        },
        end() {
          heldBytes.add(groups, -taken - expected)
          total -= taken
          taken = 0
          expected = 0
          isOver = true
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
  let declared = Number(request.headers.get('content-length')) || 0
  const orCancel = async (count: () => void): Promise<void> => {
    try {
      count()
    } catch (error) {
      await reader.cancel().catch(() => {})
      throw error
    }
  }
  const counting = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Once, before anything is read: many bodies that are all read in part would keep each other from ever being whole.
        const expected = declared
        declared = 0
        await orCancel(() => lease.expect(expected))
        const { done, value } = await reader.read().catch(() => {
          throw new HttpError(400, 'body', 'The body ended before it was complete')
        })
        if (done) {
          controller.close()
          return
        }
        await orCancel(() => lease.take(value.byteLength))
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
