const name = 'latchkey-test-wallet'

/**
 * Takes the wallet over from whichever tab has it: a link opens a new tab, and two tabs would both answer. `lost` is called
 * when a newer tab does the same to this one. The answer lets go of it.
 */
export async function acquireTabLock(locks: LockManager | undefined, onLost: () => void): Promise<() => void> {
  // Not there outside of secure contexts; then it is the visitor's to use one tab.
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
