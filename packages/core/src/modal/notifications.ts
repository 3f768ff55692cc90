import type { Clock } from '@latchkey/protocol/clock'
import { toastSwapMs } from '@latchkey/protocol/constants'
import type { Alert, State, Toast } from '../latchkey.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../lib/store.ts'

/** Lines over the modal for the visitor, and alerts for the host's developer. */
export interface Notifications {
  toast(kind: Toast['kind'], text: string): void
  hideToast(): void
  /** Drawn in debug only; `detail` always goes to the console. */
  alert(alert: Alert, detail?: string): void
  hideAlert(): void
  stop(): void
}

/** How long a toast stays. */
const toastMs = 2500

/** Keeps the `toast` and `alert` slices. */
export function createNotifications(deps: {
  toast: Store<State['toast']>
  alert: Store<State['alert']>
  clock: Clock
  log: Log
  debug: boolean
}): Notifications {
  const { toast, alert, clock, log } = deps
  let next = 1
  let cancel = () => {}

  const show = (kind: Toast['kind'], text: string) => {
    toast.set({ id: next++, kind, text })
    // What is still under way stays until it is told to go.
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
    alert(said, detail) {
      log.error(detail ?? said.text)
      if (deps.debug && said.text) alert.set(said)
    },
    hideAlert: () => alert.set(undefined),
    stop: hide,
  }
}

/** What a toast says about `error`: its own text, its first issue, its message, else 'Unknown error'. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return 'Unknown error'
  const { issues, message } = error as { issues?: unknown; message?: unknown }
  const issue: unknown = Array.isArray(issues) ? issues[0]?.message : undefined
  if (typeof issue === 'string') return issue
  return error instanceof Error && typeof message === 'string' ? message : 'Unknown error'
}
