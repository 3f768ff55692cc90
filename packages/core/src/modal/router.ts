import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { type Route, route, type Stack, type ViewName } from './views.ts'

/** What the router's decisions depend on. */
export interface RouterContext {
  /** Whether the active namespace has an account. */
  readonly connected: boolean
  readonly adapters: number
  readonly mobile: boolean
  /** The host drives WalletConnect itself. */
  readonly manual: boolean
  readonly signIn: 'required' | 'optional' | 'off'
  /** Whether a sign-in session exists for the active account. */
  readonly signedIn: boolean
}

/** The route on screen. */
export function top(stack: Stack): Route {
  return stack[stack.length - 1] as Route
}

/** The stack with `next` on it; unchanged when that view is on screen already. */
export function push(stack: Stack, next: Route): Stack {
  return top(stack).view === next.view ? stack : [...stack, next]
}

/** The stack with `next` in place of the last; unchanged when it is the same view. */
export function replace(stack: Stack, next: Route): Stack {
  return top(stack).view === next.view ? stack : stackOf([...stack.slice(0, -1), next])
}

/** The stack after "back", or `undefined` when back means close. */
export function back(stack: Stack, now?: Pick<RouterContext, 'connected'>): Stack | undefined {
  if (stack.length === 1 || includes(stack, 'UnsupportedChain')) return undefined
  const rest = stackOf(stack.slice(0, -1))
  // Whoever connected on the way has no use for Connect.
  return now?.connected && rest.length === 1 && top(rest).view === 'Connect' ? [route('Account')] : rest
}

/** The stack after a network was chosen: before Networks, or `undefined` when that means close. */
export function afterSwitch(stack: Stack): Stack | undefined {
  if (includes(stack, 'UnsupportedChain')) return undefined
  const networks = stack.findIndex(({ view }) => view === 'Networks')
  if (networks >= 1) return stackOf(stack.slice(0, networks))
  return networks < 0 ? back(stack) : undefined
}

/** Where the modal starts: unguided hosts first, then what was asked for, then what fits. */
export function startRoute(now: RouterContext, params?: Route): Route {
  const unguided = now.manual || (now.adapters === 0 && !now.connected)
  if (unguided) return route(now.mobile ? 'AllWallets' : 'ConnectingWalletConnectBasic')
  return params ?? home(now)
}

/** Where embedded mode rests. */
export function home(now: Pick<RouterContext, 'connected'>): Route {
  return route(now.connected ? 'Account' : 'Connect')
}

/** Some views hold the door: an approval must be answered, a required sign-in must be finished. */
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

/** What picking a network leads to; `undefined` when it is the active one. */
export function networkRoute(now: {
  active: ChainId | undefined
  target: ChainId
  connected(namespace: Namespace): boolean
  /** The active namespace is on the embedded wallet, which follows to eip155 and solana. */
  embeddedWallet: boolean
}): Route | undefined {
  if (now.active === now.target) return undefined
  const target = namespaceOf(now.target)
  const switches = route('SwitchNetwork', { network: now.target })
  if (now.embeddedWallet && (target === 'eip155' || target === 'solana')) return switches
  const active = now.active && namespaceOf(now.active)
  if (active && active !== target && now.connected(active) && !now.connected(target)) {
    return route('SwitchActiveChain', { namespace: target, network: now.target })
  }
  return switches
}

/** Whether `view` is anywhere in the stack. */
export function includes(stack: Stack, view: ViewName): boolean {
  return stack.some((entry) => entry.view === view)
}

function stackOf(routes: readonly Route[]): Stack {
  return routes as Stack // never empty: each caller keeps or adds one
}
