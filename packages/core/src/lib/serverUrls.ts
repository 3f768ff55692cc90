import type { Identity } from '@latchkey/protocol/http/url'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { isRestrictedTimeZone, sdkType } from '@latchkey/protocol/specificationConstants'
import { version } from '../version.ts'

/** The configured server and its project ID. */
export interface LatchkeyServer {
  readonly url: string
  readonly projectId: string
  readonly alternative?: string | undefined
}

/** Returns the parameters sent with every request. */
export function identityOf(service: LatchkeyServer): Identity {
  return { projectId: service.projectId, st: sdkType, sv: `react-${version}` }
}

/** Returns the URLs of a service in the order in which they are tried. The time zone only affects the order. */
export function serverUrls(service: LatchkeyServer, zone: string | undefined = ownZone()): readonly [string, string?] {
  const { url, alternative } = service
  if (!alternative) return [url]
  return isRestrictedTimeZone(zone) ? [alternative, url] : [url, alternative]
}

/** Runs `task` with the first URL of a service, or with the second if the first cannot be reached. */
export async function withFallbackUrl<T>(service: LatchkeyServer, task: (base: string) => Promise<T>): Promise<T> {
  const [first, second] = serverUrls(service)
  try {
    return await task(first)
  } catch (error) {
    if (second && isLatchkeyError(error, 'http/unreachable')) return task(second)
    throw error
  }
}

function ownZone(): string | undefined {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
