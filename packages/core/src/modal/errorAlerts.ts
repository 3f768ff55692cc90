import type { ConnectorContext } from '../adapter.ts'
import type { Analytics } from '../analytics/analyticsEvents.ts'
import type { State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { Notifications } from './notifications.ts'

/** Displays errors of the configuration to the host's developers. */
export interface ErrorAlerts {
  /** Reports that a server does not accept this page, once. */
  invalidApp(detail: string): void
  /** Reports an error of a connector. */
  readonly report: ConnectorContext['report']
}

/** Creates the alerts. */
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
        // A page that probes which methods the wallet supports must not open the modal.
        if (state.get().modal.open) notifications.toast('error', 'Action not allowed')
        return
      }
      notifications.alert({ code, text: message }, `${what}: ${message}`)
      analytics.report(what, error)
    },
  }
}
