import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { Failure } from './failure.ts'
import { isThisMachine, networkOf } from './network.ts'
import type { Caller, Ports } from './ports.ts'
import { visitOf } from './routes/visit.ts'

/** The parts of the server that are counted apart, and what share of the operator's number each may have. */
const shares = { directory: 1, images: 5, analytics: 0.25, chain: 1, signIn: 0.25 } as const

/**
 * Refuses whoever asks this part of the server too often: per address, and for a registered project in all. Whoever comes
 * from this machine is not counted, as a proxy without CLIENT_ADDRESS_HEADER would make one visitor of all.
 */
export function limited(
  part: keyof typeof shares,
  { rates, rateLimits, projects, metrics }: Pick<Ports, 'rates' | 'rateLimits' | 'projects' | 'metrics'>,
): MiddlewareHandler<{ Bindings: Caller }> {
  const share = shares[part]

  async function spend(of: 'address' | 'project', whom: string, perMinute: number): Promise<void> {
    const seconds = await rates.take(`${part} ${of} ${whom}`, Math.max(1, perMinute * share))
    if (seconds === 0) return
    metrics.count('latchkey_limited_total', { part, of })
    throw new Failure(429, of, `Too many requests: try again in ${seconds} s`, seconds)
  }

  return async (c, next) => {
    const { perAddress, perProject } = rateLimits
    const address = c.env?.address
    const network = networkOf(address)
    // Kept as a digest, so that a dump of this process names no visitor.
    if (perAddress > 0 && network !== null && address && !isThisMachine(address))
      await spend('address', digest(network), perAddress)
    const { projectId } = visitOf(c)
    // Only a registered one: else whoever makes up ids would fill the memory, and be counted by none of them.
    if (perProject > 0 && projectId !== undefined && (await projects.all()).some(({ id }) => id === projectId))
      await spend('project', projectId, perProject)
    return next()
  }
}

function digest(network: string): string {
  return createHash('sha256').update(network).digest('base64url').slice(0, 22)
}
