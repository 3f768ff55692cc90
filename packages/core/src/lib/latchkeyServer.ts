import { isRestrictedTimeZone, sdkType } from '@latchkey/protocol/constants'
import type { Identity } from '@latchkey/protocol/http/url'
import { version } from '../version.ts'

/** The configured server, and as whom we ask it. */
export interface LatchkeyServer {
  readonly url: string
  readonly projectId: string
  readonly alternative?: string | undefined
}

/** What every call carries. */
export function identityOf(service: LatchkeyServer): Identity {
  return { projectId: service.projectId, st: sdkType, sv: `react-${version}` }
}

/** The addresses of a service in the order in which they are tried. Nobody is blocked by a zone. */
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
