const name = 'latchkey-test-wallet'

/**
 * Acquires the tab lock, stealing it from any other tab. Links open in a new tab, and two tabs would both respond.
 * Calls `onLost` when a newer tab steals the lock. Returns a function that releases the lock.
 */
export async function acquireTabLock(locks: LockManager | undefined, onLost: () => void): Promise<() => void> {
  // Web Locks are unavailable outside secure contexts. There, it is up to the user to keep only one tab open.
  if (!locks) return () => {}
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await new Promise<void>((resolve) => {
    locks
      .request(name, { steal: true }, () => {
        resolve()
        return held
      })
      .catch(onLost)
  })
  return release
}
