import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { authNamespaces } from '@latchkey/protocol/specificationConstants'
import { type Route, route, type Stack, type ViewName } from './views.ts'

/** The state that routing depends on. */
export interface RouterContext {
  /** Whether the active namespace has an account. */
  readonly connected: boolean
  readonly adapters: number
  readonly mobile: boolean
  /** Whether the host controls WalletConnect itself. */
  readonly manual: boolean
  readonly signIn: 'required' | 'optional' | 'off'
  /** Whether a sign-in session exists for the active account. */
  readonly signedIn: boolean
}

/** Returns the current route. */
export function top(stack: Stack): Route {
  return stack[stack.length - 1] as Route
}

/** Returns the stack with `next` added, or unchanged if that view is already on top. */
export function push(stack: Stack, next: Route): Stack {
  return top(stack).view === next.view ? stack : [...stack, next]
}

/** Returns the stack with its last route replaced by `next`, or unchanged if it is the same view. */
export function replace(stack: Stack, next: Route): Stack {
  return top(stack).view === next.view ? stack : stackOf([...stack.slice(0, -1), next])
}

/** Returns the stack after "back", or `undefined` if back closes the modal. */
export function back(stack: Stack, now?: Pick<RouterContext, 'connected'>): Stack | undefined {
  if (stack.length === 1 || includes(stack, 'UnsupportedChain')) return undefined
  const rest = stackOf(stack.slice(0, -1))
  // A connected user has no use for Connect.
  return now?.connected && rest.length === 1 && top(rest).view === 'Connect' ? [route('Account')] : rest
}

/** Returns the stack after a network was selected, as it was before Networks, or `undefined` if the modal closes. */
export function afterSwitch(stack: Stack): Stack | undefined {
  if (includes(stack, 'UnsupportedChain')) return undefined
  const networks = stack.findIndex(({ view }) => view === 'Networks')
  if (networks >= 1) return stackOf(stack.slice(0, networks))
  return networks < 0 ? back(stack) : undefined
}

/** Returns the modal's initial route. Hosts with manual control come first, then the requested route, then the default. */
export function startRoute(now: RouterContext, params?: Route): Route {
  const unguided = now.manual || (now.adapters === 0 && !now.connected)
  if (unguided) return route(now.mobile ? 'AllWallets' : 'ConnectingWalletConnectBasic')
  return params ?? home(now)
}

/** Returns the default route, also shown in embedded mode when idle. */
export function home(now: Pick<RouterContext, 'connected'>): Route {
  return route(now.connected ? 'Account' : 'Connect')
}

/** Whether the modal can be closed. A pending approval and a required sign-in prevent closing. */
export function canClose(
  { view }: Route,
  now: Pick<RouterContext, 'signIn' | 'signedIn'>,
  params: { forced: boolean },
): boolean {
  if (view === 'ApproveTransaction') return params.forced
  if (view === 'SIWXSignMessage' || view === 'ConnectingSiwe')
    return params.forced || now.signIn !== 'required' || now.signedIn
  return true
}

/** Returns the view that opens after a network was selected, or `undefined` if it is the active network. */
export function networkRoute(now: {
  active: ChainId | undefined
  target: ChainId
  connected(namespace: Namespace): boolean
  /** Whether the active namespace uses the embedded wallet, which also supports the other login families. */
  embeddedWallet: boolean
}): Route | undefined {
  if (now.active === now.target) return undefined
  const target = namespaceOf(now.target)
  const switches = route('SwitchNetwork', { network: now.target })
  if (now.embeddedWallet && authNamespaces.includes(target)) return switches
  const active = now.active && namespaceOf(now.active)
  if (active && active !== target && now.connected(active) && !now.connected(target)) {
    return route('SwitchActiveChain', { namespace: target, network: now.target })
  }
  return switches
}

/** Whether `view` is in the stack. */
export function includes(stack: Stack, view: ViewName): boolean {
  return stack.some((entry) => entry.view === view)
}

function stackOf(routes: readonly Route[]): Stack {
  return routes as Stack // never empty: each caller keeps or adds one
}
