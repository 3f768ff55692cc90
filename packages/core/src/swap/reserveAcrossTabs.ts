/**
 * Returns a function that reserves a name. It resolves to a function that releases the name, or to `undefined` if a tab of this origin
 * has already reserved it. Closing the tab releases its names. Without Web Locks (in old browsers and on pages without https), tabs
 * cannot be coordinated, so every name is available.
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
