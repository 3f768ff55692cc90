import type { Log } from './log.ts'

/** Returns a function that logs that `what` could not be loaded. */
export function logLoadFailure(log: Pick<Log, 'error'>, what: string): (error: unknown) => void {
  return (error) => log.error(`Unable to load ${what}`, error)
}
