import type { ConnectorContext } from '../adapter.ts'
import type { Analytics } from '../analytics/analyticsEvents.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { Notifications } from './notifications.ts'

/** Displays configuration errors to the host's developers. */
export interface ErrorAlerts {
  /** Reports that a server rejects this page. Only the first call has an effect. */
  invalidApp(detail: string): void
  /** Reports an error from a connector. */
  readonly report: ConnectorContext['report']
}

/** Creates the functions that display configuration errors. */
export function createErrorAlerts({
  notifications,
  state,
  log,
  analytics,
}: {
  readonly notifications: Pick<Notifications, 'alert' | 'toast'>
  readonly state: ReadableStore<State>
  readonly log: Pick<Log, 'error'>
  readonly analytics: Pick<Analytics, 'report'>
}): ErrorAlerts {
  let hasAlerted = false
  const invalidApp = (detail: string): void => {
    if (hasAlerted) return
    hasAlerted = true
    notifications.alert({ code: 'app/origin-not-allowed', text: 'Invalid App Configuration' }, detail)
  }
  return {
    invalidApp,
    report(what, error) {
      const { code, message } = error
      if (code === 'app/origin-not-allowed') return invalidApp(`${what}: ${message}`)
      if (code === 'frame/not-allowed') {
        log.error(`${what}: ${message}`, error.details)
        // Do not display a toast while the modal is closed, because the page might only be checking which methods are supported.
        if (state.get().modal.open) notifications.toast('error', 'Action not allowed')
        return
      }
      notifications.alert({ code, text: message }, `${what}: ${message}`)
      analytics.report(what, error)
    },
  }
}
