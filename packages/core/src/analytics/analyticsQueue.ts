import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import type { createAnalytics } from './analyticsClient.ts'
import type { Analytics, AnalyticsEvent } from './analyticsEvents.ts'

/** The maximum number of queued events. When it is exceeded, the oldest event is dropped. */
const maxQueuedEvents = 20

/** Creates analytics that queue all events until the user first opens the modal. The client that sends them is loaded then. */
export function createAnalyticsQueue({
  client,
  log,
}: {
  /** The client's dependencies, or `undefined` if analytics is off. */
  readonly client: Parameters<typeof createAnalytics>[0] | undefined
  readonly log: Pick<Log, 'error'>
}): Analytics {
  let analytics: Analytics | undefined
  /** The queued events and their timestamps in epoch milliseconds. */
  let queue: (readonly [AnalyticsEvent, number])[] = []
  let hasClicked = false
  let stopped = false

  return {
    track(event) {
      if (!client || stopped) return
      if (analytics) return analytics.track(event)
      queue = [...queue, [event, client.clock.now()] as const].slice(-maxQueuedEvents)
      if (event.event !== 'MODAL_OPEN' || hasClicked) return
      hasClicked = true
      import('./analyticsClient.ts').then(
        ({ createAnalytics }) => {
          if (stopped) return
          analytics = createAnalytics(client)
          for (const queued of queue) analytics.track(...queued)
          queue = []
        },
        logLoadFailure(log, 'analytics'),
      )
    },
    report: (text, cause) => analytics?.report(text, cause),
    stop() {
      stopped = true
      analytics?.stop()
    },
  }
}
