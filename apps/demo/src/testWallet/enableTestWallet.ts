import type { Environment } from '../environment.ts'

const key = 'crumb:test-wallet'

/** Whether the user has enabled the test wallet in this browser. */
export function isTestWalletEnabled(): boolean {
  return localStorage.getItem(key) === 'yes'
}

/** Enables the test wallet in this page, as if it were an extension, now and after reloads. */
export async function enableTestWallet(world: Environment): Promise<void> {
  localStorage.setItem(key, 'yes')
  const { announceTestWallet } = await import('./announceTestWallet.ts')
  announceTestWallet(world)
}

/** Enables the test wallet if the user has enabled it before. */
export function restoreTestWallet(world: Environment): void {
  if (isTestWalletEnabled()) void enableTestWallet(world)
}
