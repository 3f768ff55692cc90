import type { Clock } from '@latchkey/protocol/clock'
import { toastSwapMs } from '@latchkey/protocol/specificationConstants'
import type { Alert, State, Toast } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../lib/store.ts'

/** Toasts for users and alerts for the host's developers. */
export interface Notifications {
  toast(kind: Toast['kind'], text: string): void
  hideToast(): void
  /** Logs `detail`, or else the alert's text, as an error. Displays the alert only in debug mode. */
  alert(alert: Alert, detail?: string): void
  hideAlert(): void
  stop(): void
}

/** The time for which a toast is displayed. */
const toastMs = 2500

/** Creates the notifications, which write to the `toast` and `alert` slices. */
export function createNotifications(dependencies: {
  toast: Store<State['toast']>
  alert: Store<State['alert']>
  clock: Clock
  log: Log
  debug: boolean
}): Notifications {
  const { toast, alert, clock, log } = dependencies
  let next = 1
  let cancel = () => {}

  const show = (kind: Toast['kind'], text: string) => {
    toast.set({ id: next++, kind, text })
    // Loading toasts stay until they are hidden or replaced.
    cancel = kind === 'loading' ? () => {} : clock.after(toastMs, () => toast.set(undefined))
  }
  const hide = () => {
    cancel()
    cancel = () => {}
    toast.set(undefined)
  }
  return {
    toast(kind, text) {
      const wasShowing = toast.get() !== undefined
      hide()
      if (wasShowing) cancel = clock.after(toastSwapMs, () => show(kind, text))
      else show(kind, text)
    },
    hideToast: hide,
    alert(content, detail) {
      log.error(detail ?? content.text)
      if (dependencies.debug && content.text) alert.set(content)
    },
    hideAlert: () => alert.set(undefined),
    stop: hide,
  }
}
