import type { Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { shakeMs } from '@latchkey/protocol/specificationConstants'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { Latchkey, State } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../lib/store.ts'
import { canClose } from './canClose.ts'
import { implementedViews } from './implementedViews.ts'
import { defaultRoute, initialRoute } from './initialRoute.ts'
import { afterSwitch, back, push, type RouterContext, replace } from './router.ts'
import { top } from './routeStack.ts'
import { type Route, route, type Stack, type ViewName } from './views.ts'

/** Controls the modal and its navigation. */
export interface Modal extends Readonly<Latchkey['modal']> {
  /** Navigates to a route whose view is only known at runtime. */
  show(next: Route): void
  /** Leaves the approval view after the approval has ended. Until then, users cannot navigate back. */
  afterApproval(): void
  /** Leaves the network views after the user has selected a network. */
  afterSwitch(): void
  stop(): void
}

/** The modal's initial state. */
export const closedModal: State['modal'] = {
  open: false,
  stack: [route('Connect')],
  loading: false,
  loadingBy: {},
  shaking: false,
}

/** Creates the modal controller, which writes to the `modal` slice. */
export function createModal(dependencies: {
  state: Store<State['modal']>
  clock: Clock
  log: Log
  embedded: boolean
  routerContext(): RouterContext
  /** Activates the connected wallet's network in `namespace`, or else the first network in `namespace`. */
  activateNamespace(namespace: Namespace): void
  filter(namespace: Namespace | undefined): void
  track(event: AnalyticsEvent): void
  /** Called when the modal closes, to hide the toast. */
  closed(): void
}): Modal {
  const { state, clock, log } = dependencies
  let cancelShake = () => {}
  const patch = (change: Partial<State['modal']>) => state.set({ ...state.get(), ...change })
  const turn = (stack: Stack) => patch({ stack })

  const built = (next: Route): boolean => {
    const known = (implementedViews as readonly ViewName[]).includes(next.view)
    if (!known) log.info(`The view ${next.view} is not implemented.`)
    return known
  }
  const go = (change: (stack: Stack, next: Route) => Stack) => (view: ViewName, data?: unknown) => {
    const next = { view, data } as Route // The types of `push`, `replace` and `reset` ensure that the data matches the view.
    if (built(next)) turn(change(state.get().stack, next))
  }
  const start = (params: Route | undefined): Route => {
    const now = dependencies.routerContext()
    const first = initialRoute(now, params && built(params) ? params : undefined)
    return built(first) ? first : defaultRoute(now)
  }
  const shake = () => {
    if (state.get().shaking) return
    patch({ shaking: true })
    cancelShake = clock.after(shakeMs, () => patch({ shaking: false }))
  }

  const modal: Modal = {
    open(params = {}) {
      dependencies.filter(params.namespace)
      if (params.namespace) dependencies.activateNamespace(params.namespace)
      const { loadingBy } = state.get()
      patch({
        open: true,
        stack: [start(params.view)],
        loading: true,
        loadingBy: params.namespace ? { ...loadingBy, [params.namespace]: true } : loadingBy,
      })
      dependencies.track({ event: 'MODAL_OPEN', properties: { connected: dependencies.routerContext().connected } })
    },
    close({ force = false } = {}) {
      const { open, stack } = state.get()
      if (!open && !dependencies.embedded) return true
      const now = dependencies.routerContext()
      if (!canClose(top(stack), now, { forced: force })) {
        shake()
        return false
      }
      cancelShake()
      if (open) dependencies.track({ event: 'MODAL_CLOSE', properties: { connected: now.connected } })
      dependencies.closed()
      const rest = dependencies.embedded
        ? { open, stack: [defaultRoute(now)] as const }
        : { open: false, stack: closedModal.stack }
      state.set({ ...closedModal, ...rest })
      return true
    },
    push: go(push) as Modal['push'],
    show: ({ view, data }) => go(push)(view, data),
    replace: go(replace) as Modal['replace'],
    reset: go((_, next) => [next]) as Modal['reset'],
    back() {
      const { stack } = state.get()
      const now = dependencies.routerContext()
      // Users cannot navigate back from a view that cannot be closed.
      const rest = canClose(top(stack), now, { forced: false }) && back(stack, now)
      if (rest) turn(rest)
      else modal.close()
    },
    afterApproval() {
      const rest = back(state.get().stack, dependencies.routerContext())
      if (rest) turn(rest)
      else modal.close({ force: true })
    },
    afterSwitch() {
      const rest = afterSwitch(state.get().stack)
      if (rest) turn(rest)
      else modal.close()
    },
    stop() {
      cancelShake()
    },
  }
  return modal
}
