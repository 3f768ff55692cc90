import type { VaultRecord } from '@latchkey/vault'
import { PublicError } from '../publicError.ts'
import type { DeviceStore } from './deviceStore.ts'

/** Stores which wallet this browser opened for an account. */
export function rememberWallet(store: DeviceStore, userId: string, { wallet }: VaultRecord): Promise<void> {
  return store.remember(storageKey(userId), wallet)
}

/**
 * Throws if this browser has already opened a wallet for this account but the server returns a different wallet or none. A lost,
 * hidden or forged record must not cause the user to get a new address.
 */
export async function requireKnownWallet(
  store: DeviceStore,
  userId: string,
  record: VaultRecord | undefined,
): Promise<void> {
  const known = await store.recall(storageKey(userId))
  if (known !== undefined && known !== record?.wallet)
    throw new PublicError(
      'The server did not return the wallet that this browser opened before. Nothing was changed. Your recovery kit still opens your wallet.',
    )
}

function storageKey(userId: string): string {
  return `wallet:${userId}`
}
