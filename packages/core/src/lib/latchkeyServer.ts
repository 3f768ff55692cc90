import { isRestrictedTimeZone, sdkType } from '@latchkey/protocol/constants'
import type { Identity } from '@latchkey/protocol/http/url'
import { version } from '../version.ts'

/** The configured server and the project ID used with it. */
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
export function basesOf(service: LatchkeyServer, zone: string | undefined = ownZone()): readonly [string, ...string[]] {
  const { url, alternative } = service
  if (!alternative) return [url]
  return isRestrictedTimeZone(zone) ? [alternative, url] : [url, alternative]
}

function ownZone(): string | undefined {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
