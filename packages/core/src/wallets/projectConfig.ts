import type { OriginsAnswer } from '@latchkey/protocol/http/publicRoutes'
import { originAllowed } from '@latchkey/protocol/origins'
import type { Log } from '../lib/log.ts'
import type { DirectoryRequests } from './directoryRequests.ts'

/** The configuration of the host's project on the server. */
export interface ProjectConfig {
  /**
   * Resolves to the project's configuration, which is requested once. If the request fails, resolves to an empty configuration,
   * and the next call tries again.
   */
  get(): Promise<OriginsAnswer>
  /** Reports the page's origin if the project does not allow it. */
  checkOrigin(): Promise<void>
}

/** Creates the project configuration, which is loaded on first use. */
export function createProjectConfig(dependencies: {
  readonly requests: Pick<DirectoryRequests, 'project' | 'reportIfMissing'>
  readonly log: Pick<Log, 'info'>
  /** The origin to check. Defaults to the page's origin, if there is one. */
  readonly origin?: string | undefined
  refused(detail: string): void
}): ProjectConfig {
  const { requests, origin = typeof location === 'undefined' ? undefined : location.origin } = dependencies
  let loaded: Promise<OriginsAnswer> | undefined

  const get = (): Promise<OriginsAnswer> => {
    loaded ??= requests.project().catch((error: unknown) => {
      dependencies.log.info('Unable to get allowed origins', error)
      requests.reportIfMissing(error)
      loaded = undefined
      return { allowedOrigins: [] }
    })
    return loaded
  }
  return {
    get,
    async checkOrigin() {
      const { allowedOrigins } = await get()
      if (origin && !originAllowed(origin, allowedOrigins))
        dependencies.refused(`The origin ${origin} is not on the allow-list of this project.`)
    },
  }
}
