import type { Environment } from '../environment.ts'

const key = 'crumb:test-wallet'

/** Whether the visitor chose the test wallet in this browser. */
export function isTestWalletEnabled(): boolean {
  return localStorage.getItem(key) === 'yes'
}

/** Puts the test wallet into this page, as an extension would be, now and after reloads. */
export async function enableTestWallet(world: Environment): Promise<void> {
  localStorage.setItem(key, 'yes')
  const { announceTestWallet } = await import('./announceTestWallet.ts')
  announceTestWallet(world)
}

/** The same for a visitor who chose it before. */
export function restoreTestWallet(world: Environment): void {
  if (isTestWalletEnabled()) void enableTestWallet(world)
}
