import type { Route, Stack, ViewName } from './views.ts'

/** Returns the current route. */
export function top(stack: Stack): Route {
  return stack[stack.length - 1] as Route
}

/** Whether `view` is in the stack. */
export function includes(stack: Stack, view: ViewName): boolean {
  return stack.some((entry) => entry.view === view)
}
