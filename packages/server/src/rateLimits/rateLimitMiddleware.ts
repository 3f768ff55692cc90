import type { Context, MiddlewareHandler } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import { digestedGroups } from '../ipAddresses/ipAddressGroups.ts'
import { readProjectRequest } from '../projects/readProjectRequest.ts'
import type { Caller, ServerDependencies } from '../serverDependencies.ts'

/** A part of the server that has its own rate limit. `shares` contains its share of the configured limit. */
type RateLimitedPart = keyof typeof shares

/** The names of the dependencies that rate limiting uses. */
export type RateLimitDependencies = 'rateLimiter' | 'rateLimits' | 'projects' | 'metrics'

const shares = { directory: 1, images: 5, analytics: 0.25, chain: 1, signIn: 0.25 } as const

/** Creates middleware that limits the requests to a part of the server, per address and in total per registered project. */
export function rateLimit(
  part: RateLimitedPart,
  dependencies: Pick<ServerDependencies, RateLimitDependencies>,
): MiddlewareHandler<{ Bindings: Caller }> {
  const charge = chargedFor(part, dependencies)
  return async (c, next) => {
    await charge(c, 1)
    return next()
  }
}

/** Returns a function that charges the client for `count` requests. Used if one HTTP request contains several calls. */
export function chargedFor(
  part: RateLimitedPart,
  { rateLimiter, rateLimits, projects, metrics }: Pick<ServerDependencies, RateLimitDependencies>,
): (c: Context, count: number) => Promise<void> {
  const share = shares[part]

  async function spend(of: 'address' | 'project', key: string, perMinute: number, count: number): Promise<void> {
    const seconds = await rateLimiter.take(`${part} ${of} ${key}`, Math.max(1, perMinute * share), count)
    if (seconds === 0) return
    metrics.count('latchkey_limited_total', { part, of })
    throw new HttpError(429, of, `Too many requests: try again in ${seconds} s`, seconds)
  }

  return async (c, count) => {
    const { perAddress, perProject } = rateLimits
    const address = c.env?.address
    // The widest group is charged first. If it rejects the request, the client is not charged.
    if (perAddress > 0)
      for (const { name, share } of digestedGroups(address)) await spend('address', name, perAddress * share, count)
    const { projectId } = readProjectRequest(c)
    // Only registered projects are charged. Otherwise, made-up IDs would fill up memory and evade the limit.
    if (perProject > 0 && projectId !== undefined && (await projects.all()).some(({ id }) => id === projectId))
      await spend('project', projectId, perProject, count)
  }
}
