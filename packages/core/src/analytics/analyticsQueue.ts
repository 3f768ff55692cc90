import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import type { createAnalytics } from './analyticsClient.ts'
import type { Analytics, AnalyticsEvent } from './analyticsEvents.ts'

/** Maximum number of events queued before the user's first click. The oldest is dropped when it is exceeded. */
const maxQueuedEvents = 20

/** Creates analytics that queue events until the user's first click, which loads the client. Nothing is sent before it. */
export function createAnalyticsQueue({
  client,
  log,
}: {
  /** The dependencies of the client, or `undefined` if analytics are off. */
  readonly client: Parameters<typeof createAnalytics>[0] | undefined
  readonly log: Pick<Log, 'error'>
}): Analytics {
  let analytics: Analytics | undefined
  /** Events and their times in milliseconds. */
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
