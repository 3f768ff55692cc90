/**
 * Returns a function that reserves a name for this tab. It resolves to a function that ends the reservation, or to `undefined` if
 * another tab of the same origin has reserved the name. A reservation also ends with its tab. In browsers without Web Locks, and on
 * pages without https, nothing is known about other tabs, and every name is available.
 */
export function reserveAcrossTabs(
  locks: Pick<LockManager, 'request'> | undefined,
): (name: string) => Promise<(() => void) | undefined> {
  return (name) =>
    new Promise((resolve) => {
      const available = (): void => resolve(() => undefined)
      if (!locks) return available()
      const use = (lock: Lock | null): Promise<void> | undefined => {
        if (lock) return new Promise((release) => resolve(release))
        resolve(undefined)
        return undefined
      }
      locks.request(name, { ifAvailable: true }, use).catch(available)
    })
}
