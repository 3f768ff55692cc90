import type { Identity } from '@latchkey/protocol/http/url'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { isRestrictedTimeZone, sdkType } from '@latchkey/protocol/specificationConstants'
import { version } from '../version.ts'

/** The configured server and the project ID. */
export interface LatchkeyServer {
  readonly url: string
  readonly projectId: string
  readonly alternative?: string | undefined
}

/** Returns the parameters that are sent with every request. */
export function identityOf(service: LatchkeyServer): Identity {
  return { projectId: service.projectId, st: sdkType, sv: `react-${version}` }
}

/** Returns the server's URLs in the order in which they are tried. The time zone affects only the order. */
export function serverUrls(
  { url, alternative }: LatchkeyServer,
  zone: string | undefined = alternative && ownZone(),
): readonly [string, string?] {
  if (!alternative) return [url]
  return isRestrictedTimeZone(zone) ? [alternative, url] : [url, alternative]
}

/**
 * Returns a function that runs a task with the server's first URL, or with the second URL if the first is unreachable. The order
 * is determined once, because determining the time zone can take longer than a request.
 */
export function createUrlFallback(service: LatchkeyServer): <T>(task: (base: string) => Promise<T>) => Promise<T> {
  const [first, second] = serverUrls(service)
  return async (task) => {
    try {
      return await task(first)
    } catch (error) {
      if (second && isLatchkeyError(error, 'http/unreachable')) return task(second)
      throw error
    }
  }
}

function ownZone(): string | undefined {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
