import type { Clock } from '@latchkey/protocol/clock'
import type { Analytics } from '../analytics/analyticsEvents.ts'
import { createAnalyticsQueue } from '../analytics/analyticsQueue.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import { type Store, slice } from '../lib/store.ts'
import { createErrorAlerts, type ErrorAlerts } from '../modal/errorAlerts.ts'
import { createNotifications, type Notifications } from '../modal/notifications.ts'
import type { LatchkeyOptions } from '../options.ts'
import type { PageEnvironment } from './pageEnvironment.ts'

/** The notifications for users, the analytics for the operator, and the error alerts for the host's developers. */
export interface NotificationsAndAnalytics {
  readonly notifications: Notifications
  readonly analytics: Analytics
  readonly errors: ErrorAlerts
}

/** Creates the notifications, analytics and error alerts for an instance. */
export function createNotificationsAndAnalytics({
  options,
  environment: { server, fetch },
  state,
  account,
  clock,
  log,
}: {
  readonly options: LatchkeyOptions
  readonly environment: Pick<PageEnvironment, 'server' | 'fetch'>
  readonly state: Store<State>
  readonly account: Latchkey['account']
  readonly clock: Clock
  readonly log: Log
}): NotificationsAndAnalytics {
  const notifications = createNotifications({
    toast: slice(state, 'toast'),
    alert: slice(state, 'alert'),
    clock,
    log,
    debug: options.debug === true,
  })
  const client = server && {
    ...server,
    analyticsUrl: options.analyticsUrl,
    fetch,
    clock,
    address: () => account().address,
    network: () => state.get().networks.active,
    refused: () => errors.invalidApp('The analytics service rejected this origin (403).'),
  }
  const analytics = createAnalyticsQueue({ client: options.features?.analytics === false ? undefined : client, log })
  const errors = createErrorAlerts({ notifications, state, log, analytics })
  return { notifications, analytics, errors }
}
