import type { Environment } from '../environment.ts'

const key = 'crumb:test-wallet'

/** Whether the user has enabled the test wallet in this browser. */
export function isTestWalletEnabled(): boolean {
  return localStorage.getItem(key) === 'yes'
}

/** Enables the test wallet on this page and keeps it enabled after reloads, as if it were an extension. */
export async function enableTestWallet(world: Environment): Promise<void> {
  localStorage.setItem(key, 'yes')
  const { announceTestWallet } = await import('./announceTestWallet.ts')
  announceTestWallet(world)
}

/** Enables the test wallet again if the user enabled it on a previous visit. */
export function restoreTestWallet(world: Environment): void {
  if (isTestWalletEnabled()) void enableTestWallet(world)
}
