import type { Log } from '../lib/log.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import type { createAnalytics } from './analyticsClient.ts'
import type { Analytics } from './analyticsEvents.ts'

/** The maximum number of queued events and errors. When the queue is full, the oldest entry is dropped. */
const maxQueued = 20

/** The time in milliseconds after which the client is loaded even if the browser is never idle. */
const maxIdleMs = 2_000

/**
 * Creates analytics that queue events until the user first opens the modal. The client that sends the events is then loaded once
 * the browser is idle, so that it does not delay the modal.
 */
export function createAnalyticsQueue({
  client,
  log,
}: {
  /** The client's dependencies, or `undefined` if analytics is off. */
  readonly client: Parameters<typeof createAnalytics>[0] | undefined
  readonly log: Pick<Log, 'error'>
}): Analytics {
  let analytics: Analytics | undefined
  /** The calls to make once the client is loaded. */
  let queue: ((loaded: Analytics) => void)[] = []
  let hasClicked = false
  let stopped = false

  const add = (call: (loaded: Analytics) => void): void => {
    queue = [...queue, call].slice(-maxQueued)
  }
  const load = (dependencies: Parameters<typeof createAnalytics>[0]): void => {
    import('./analyticsClient.ts').then(
      ({ createAnalytics }) => {
        if (stopped) return
        analytics = createAnalytics(dependencies)
        for (const call of queue) call(analytics)
        queue = []
      },
      logLoadFailure(log, 'analytics'),
    )
  }

  return {
    track(event) {
      if (!client || stopped) return
      if (analytics) return analytics.track(event)
      const timestamp = client.clock.now()
      add((loaded) => loaded.track(event, timestamp))
      if (event.event !== 'MODAL_OPEN' || hasClicked) return
      hasClicked = true
      if (typeof requestIdleCallback === 'function') requestIdleCallback(() => load(client), { timeout: maxIdleMs })
      else client.clock.after(0, () => load(client))
    },
    report(text, cause) {
      if (analytics) analytics.report(text, cause)
      else if (hasClicked) add((loaded) => loaded.report(text, cause))
    },
    stop() {
      stopped = true
      analytics?.stop()
    },
  }
}
