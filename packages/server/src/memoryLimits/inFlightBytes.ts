import { getHealth, getReadiness } from '@latchkey/protocol/http/healthRoutes'
import type { MiddlewareHandler } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import { incompleteBody, smallBodyLength } from '../http/readLimitedBody.ts'
import { callerGroups, digestedGroups } from '../ipAddresses/ipAddressGroups.ts'
import type { Caller, InFlight, Lease } from '../serverDependencies.ts'
import { createMemoryQuota, type MemoryQuota } from './memoryQuota.ts'

/** The limits on the memory that in-flight requests use, in bytes. */
export interface InFlightLimits {
  /** The limit for each address. The limits for address groups are multiples of it. */
  readonly perAddress: number
  /** The limit for all requests to this process. */
  readonly total: number
}

/** The default limits. */
export const inFlightLimits: InFlightLimits = { perAddress: 16_777_216, total: 134_217_728 }

/** The overhead of a request in addition to its body: headers, socket and stack. */
export const requestBytes = 32_768

/** The overhead of a pending RPC call in addition to its bytes. */
export const callBytes = 98_304

/**
 * Limits the bytes that request and response bodies use in total, and the bytes that each address uses, which include all other
 * memory that `heldBytes` counts for the address.
 */
export function createInFlight(
  limits: InFlightLimits = inFlightLimits,
  heldBytes: MemoryQuota = createMemoryQuota(limits.perAddress),
): InFlight {
  let total = 0

  return {
    held: () => total,
    begin(address, groups = digestedGroups(address)) {
      let [taken, expected, isOver] = [0, 0, false]
      const hold = (bytes: number): void => {
        if (heldBytes.exceeded(groups, bytes) >= 0)
          throw new HttpError(
            429,
            'address',
            'Too many concurrent requests from this address: try again in a moment',
            1,
          )
        heldBytes.add(groups, bytes)
      }
      return {
        take(bytes) {
          // The lease has ended, so nothing would release these bytes.
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

/** The variables that `boundInFlight` adds to the Hono context. */
export interface InFlightVariables {
  readonly lease: Lease
}

/**
 * Creates middleware that counts every request body and any bytes that routes add to the lease. Long bodies are counted while
 * they are read. Responds with 429 or 503 before a limit is exceeded. A lease ends when the response has been sent rather than
 * created, because the server keeps the response in memory while a slow client receives it.
 */
export function boundInFlight(
  inFlight: InFlight,
): MiddlewareHandler<{ Bindings: Caller; Variables: InFlightVariables }> {
  return async (c, next) => {
    // A busy client must not cause the load balancer to take the instance out of service.
    if (c.req.path === getHealth.path || c.req.path === getReadiness.path) return next()
    const lease = inFlight.begin(c.env?.address, callerGroups(c.env ?? {}))
    try {
      lease.take(requestBytes)
      c.set('lease', lease)
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
        const length = smallBodyLength(c.req.raw)
        if (length !== undefined) lease.take(length)
        else if (c.req.raw.body) c.req.raw = counted(c.req.raw, lease)
      }
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
        // The declared length is reserved before the body is read. Otherwise, many bodies could each be read in part until the
        // limit is reached, and none of them could be completed.
        const expected = declared
        declared = 0
        await orCancel(() => lease.expect(expected))
        const { done, value } = await reader.read().catch(() => {
          throw incompleteBody()
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
    // The body is not read until a route requests it.
    { highWaterMark: 0 },
  )
  const { method, headers, signal, url } = request
  return new Request(url, { method, headers, signal, body: counting, duplex: 'half' } as RequestInit)
}
