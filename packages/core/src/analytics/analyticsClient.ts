import type { Clock } from '@latchkey/protocol/clock'
import { getAnalyticsConfig, postEvent, type AnalyticsEvent as Sent, urlOf } from '@latchkey/protocol/http/publicRoutes'
import { errorReportsPerMinute, httpForbidden, maxSmallAnswerBytes } from '@latchkey/protocol/specificationConstants'
import { fetchJson } from '../lib/fetchJson.ts'
import { createUrlFallback, identityOf, type LatchkeyServer } from '../lib/serverUrls.ts'
import type { Analytics } from './analyticsEvents.ts'

/**
 * Creates the analytics client. The client first asks the server whether analytics is enabled. It then sends each event in its
 * own POST request without waiting for the response.
 */
export function createAnalytics(
  dependencies: LatchkeyServer & {
    /** The analytics URL, if it differs from the server's URL. */
    analyticsUrl?: string | undefined
    fetch: typeof fetch
    clock: Clock
    address(): string | undefined
    network(): string | undefined
    /** Called if the service responds with 403, which means that the project's allowlist does not include the page's origin. */
    refused(): void
  },
): Analytics {
  const { fetch, clock } = dependencies
  const identity = identityOf(dependencies)
  /** The base URL of the last configuration request. Events are sent to this URL, too. */
  let base: string
  const controller = new AbortController()
  const wanted = createUrlFallback(dependencies)((at) =>
    fetchJson({
      fetch,
      url: urlOf((base = at), getAnalyticsConfig, { identity }),
      schema: getAnalyticsConfig.answer,
      maxBytes: maxSmallAnswerBytes,
      signal: controller.signal,
    }),
  ).then(
    ({ isAnalyticsEnabled }) => isAnalyticsEnabled,
    () => false,
  )
  let warned = false
  let reports: number[] = []

  const send = async (event: Pick<Sent, 'timestamp' | 'props'>) => {
    if (!(await wanted) || controller.signal.aborted) return
    const place = typeof location === 'undefined' ? { href: '', hostname: '' } : location
    const body: Sent = {
      eventId: crypto.randomUUID(),
      // Omit the page's query and fragment, because they can be private.
      url: place.href.split(/[?#]/, 1)[0] as string,
      domain: place.hostname,
      ...event,
    }
    try {
      const { status, ok } = await fetch(urlOf(dependencies.analyticsUrl ?? base, postEvent, { identity }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        credentials: 'omit',
        keepalive: true,
        signal: controller.signal,
      })
      if (status === httpForbidden && !warned) dependencies.refused()
      warned = status === httpForbidden || (warned && !ok)
    } catch {
      // Failures are ignored, because analytics must never affect the user.
    }
  }

  return {
    track({ event, ...rest }, timestamp = clock.now()) {
      if (event === 'MODAL_CREATED') return
      const address = dependencies.address()
      const network = dependencies.network()
      const properties = { ...('properties' in rest && rest.properties), ...(network && { caipNetworkId: network }) }
      void send({ timestamp, props: { type: 'track', event, properties, ...(address && { address }) } })
    },
    report(text, cause) {
      const now = clock.now()
      reports = reports.filter((at) => now - at < 60_000)
      if (reports.length >= errorReportsPerMinute) return
      reports.push(now)
      const error = cause instanceof Error ? cause : undefined
      const properties = {
        errorType: error?.name ?? 'Error',
        errorMessage: text,
        stackTrace: placesOf(error?.stack),
        timestamp: new Date(now).toISOString(),
      }
      void send({ timestamp: properties.timestamp, props: { type: 'error', event: 'INTERNAL_SDK_ERROR', properties } })
    },
    stop: () => controller.abort(),
  }
}

/** Returns the code locations from a stack trace. Omits URL queries and the error's message, because they can be private. */
function placesOf(stack: unknown): string {
  if (typeof stack !== 'string') return ''
  return stack
    .slice(0, 5000)
    .split('\n')
    .filter((line) => /^(\s+at |[^@\s]*@\w+:\/\/).*:\d+:\d+\)?$/.test(line))
    .map((line) => line.replace(/[?#][^)]*?(?=:\d+:\d+\)?$)/, ''))
    .join('\n')
    .slice(0, 2000)
}
