import { includes, top } from './routeStack.ts'
import { type Route, route, type Stack } from './views.ts'

/** The state on which routing depends. */
export interface RouterContext {
  /** Whether the active namespace has an account. */
  readonly connected: boolean
  readonly adapters: number
  readonly mobile: boolean
  /** Whether the host controls WalletConnect itself. */
  readonly manual: boolean
  readonly signIn: 'required' | 'optional' | 'off'
  /** Whether the active account has a sign-in session. */
  readonly signedIn: boolean
}

/** Adds `next` to the stack, unless its view is already displayed. */
export function push(stack: Stack, next: Route): Stack {
  return top(stack).view === next.view ? stack : [...stack, next]
}

/** Replaces the last route in the stack with `next`, unless its view is already displayed. */
export function replace(stack: Stack, next: Route): Stack {
  return top(stack).view === next.view ? stack : stackOf([...stack.slice(0, -1), next])
}

/** Returns the stack after navigating back, or `undefined` if this closes the modal. */
export function back(stack: Stack, now?: Pick<RouterContext, 'connected'>): Stack | undefined {
  if (stack.length === 1 || includes(stack, 'UnsupportedChain')) return undefined
  const rest = stackOf(stack.slice(0, -1))
  // Connected users do not need the Connect view.
  return now?.connected && rest.length === 1 && top(rest).view === 'Connect' ? [route('Account')] : rest
}

/** Returns the stack to return to after the user selects a network, or `undefined` if the modal closes. */
export function afterSwitch(stack: Stack): Stack | undefined {
  if (includes(stack, 'UnsupportedChain')) return undefined
  const networks = stack.findIndex(({ view }) => view === 'Networks')
  if (networks >= 1) return stackOf(stack.slice(0, networks))
  return networks < 0 ? back(stack) : undefined
}

function stackOf(routes: readonly Route[]): Stack {
  return routes as Stack // Never empty, because each caller keeps or adds a route.
}
