import type { World } from '../world.ts'

const key = 'crumb:test-wallet'

/** Whether the visitor chose the test wallet in this browser. */
export function usesTestWallet(): boolean {
  return localStorage.getItem(key) === 'yes'
}

/** Puts the test wallet into this page, as an extension would be, now and after reloads. */
export async function offerTestWallet(world: World): Promise<void> {
  localStorage.setItem(key, 'yes')
  const { announceTestWallet } = await import('./announce.ts')
  announceTestWallet(world)
}

/** The same for a visitor who chose it before. */
export function offerRememberedTestWallet(world: World): void {
  if (usesTestWallet()) void offerTestWallet(world)
}
