import type { MiddlewareHandler } from 'hono'
import { HttpError } from '../errors/httpError.ts'
import { callerGroups, type IpAddressGroup } from '../ipAddresses/ipAddressGroups.ts'
import { type PublicRequest, projectIdOf } from '../projects/readProjectRequest.ts'
import type { Caller, Project, ServerDependencies } from '../serverDependencies.ts'

/** A part of the server that has its own rate limit. `shares` contains its share of the configured limit. */
type RateLimitedPart = keyof typeof shares

/** The names of the dependencies that rate limiting uses. */
export type RateLimitDependencies = 'rateLimiter' | 'rateLimits' | 'projects' | 'metrics'

const shares = { directory: 1, images: 5, analytics: 0.25, chain: 1, signIn: 0.25, names: 0.01 } as const

/** Creates middleware that limits the requests to a part of the server, per address and in total per registered project. */
export function rateLimit(
  part: RateLimitedPart,
  dependencies: Pick<ServerDependencies, RateLimitDependencies>,
): MiddlewareHandler<{ Bindings: Caller }> {
  const charge = chargedFor(part, dependencies)
  return async (c, next) => {
    await charge(c.req, c.env ?? {}, 1)
    return next()
  }
}

/**
 * Charges a client for `count` requests. Throws an `HttpError` if there are too many. Returns a promise only if a limit has to be
 * looked up in a store.
 */
export type Charge = (request: PublicRequest, caller: Caller, count: number) => void | Promise<void>

/** Returns a function that charges clients for requests to a part of the server. Each call in a batch counts as a request. */
export function chargedFor(
  part: RateLimitedPart,
  { rateLimiter, rateLimits, projects, metrics }: Pick<ServerDependencies, RateLimitDependencies>,
): Charge {
  const share = shares[part]
  const { perAddress, perProject } = rateLimits

  const check = (of: 'address' | 'project', seconds: number): void => {
    if (seconds === 0) return
    metrics.count('latchkey_limited_total', { part, of })
    throw new HttpError(429, of, `Too many requests: try again in ${seconds} s`, seconds)
  }
  const take = (
    of: 'address' | 'project',
    key: string,
    { perMinute, count }: { readonly perMinute: number; readonly count: number },
  ): void | Promise<void> => {
    const seconds = rateLimiter.take(`${part} ${of} ${key}`, Math.max(1, perMinute * share), count)
    return typeof seconds === 'number' ? check(of, seconds) : seconds.then((later) => check(of, later))
  }

  const chargeAddress = (groups: readonly IpAddressGroup[], count: number): void | Promise<void> => {
    // The widest group is charged first. If it rejects the request, the client is not charged.
    for (const [at, { name, share }] of groups.entries()) {
      const taking = take('address', name, { perMinute: perAddress * share, count })
      if (taking) return taking.then(() => chargeAddress(groups.slice(at + 1), count))
    }
  }
  // Only registered projects are charged. Otherwise, made-up IDs would fill up memory and evade the limit.
  const chargeProject = (all: readonly Project[], request: PublicRequest, count: number): void | Promise<void> => {
    if (all.length === 0) return
    const projectId = projectIdOf(request)
    if (projectId === undefined || !all.some(({ id }) => id === projectId)) return
    return take('project', projectId, { perMinute: perProject, count })
  }

  return (request, caller, count) => {
    const charging = perAddress > 0 ? chargeAddress(callerGroups(caller), count) : undefined
    if (perProject === 0) return charging
    const all = projects.cached?.()
    if (!charging && all) return chargeProject(all, request, count)
    return (async () => {
      await charging
      await chargeProject(all ?? (await projects.all()), request, count)
    })()
  }
}
