const name = 'latchkey-test-wallet'

/**
 * Acquires the tab lock, taking it from the tab that currently holds it. Without the lock, a link that opens in a new tab would
 * leave two active tabs that both respond to requests. Calls `onLost` when a newer tab takes the lock. Resolves to a function
 * that releases the lock.
 */
export async function acquireTabLock(locks: LockManager | undefined, onLost: () => void): Promise<() => void> {
  // Web Locks are unavailable outside secure contexts, where users must make sure that only one tab is open.
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
