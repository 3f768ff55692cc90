import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { postShares, postSharesRelease } from '@latchkey/protocol/http/keys/assistedCustody'
import type { Bytes, CryptoEnvironment, UnlockedVault, UnlockKey, VaultRecord } from '@latchkey/vault'
import { assistedUnlockKey, createAssistedUnlockKey } from '@latchkey/vault/assistedCustody'
import { isKeysFailure, type KeysApiClient } from '../keysApiClient.ts'
import type { DeviceStore } from './deviceStore.ts'

// Assisted custody is only available in a frame that was built for it (`CUSTODY=assisted`). If a server could enable it on its
// own, the operator could add a key to every wallet.

/** The dependencies for sharing keys with the operator. */
export interface AssistedCustodyDependencies {
  readonly keysClient: KeysApiClient
  readonly store: DeviceStore
  readonly environment: CryptoEnvironment
}

/** Allows the operator to recover a new vault. The operator gets two of three shares, and the third stays on this device. */
export async function createAssistedCustody(
  { keysClient: client, store, environment }: AssistedCustodyDependencies,
  { userId, vault }: { readonly userId: string; readonly vault: UnlockedVault },
): Promise<void> {
  const { key, shares } = await createAssistedUnlockKey(environment)
  const [server, escrow] = [toBase64Url(shares.server), toBase64Url(shares.escrow)]
  const { wallet } = vault.record
  // The operator's shares are stored first, because a wrapper without stored shares would look usable but open nothing.
  await client(postShares, { body: { userId, wallet, wrapper: key.id, server, escrow } })
  await vault.addWrapper(key, 'Recovery with the operator')
  // The share on this device reveals nothing about the key, because two shares are needed.
  await store.remember(shareStorageKey(userId), toBase64Url(shares.device))
}

/**
 * Returns the operator's unlock key for `record`, or `undefined` if there is no such key or the operator does not release it.
 * Requires a recent sign-in.
 */
export async function getOperatorUnlockKey(
  { keysClient: client, store }: AssistedCustodyDependencies,
  { userId, record }: { readonly userId: string; readonly record: VaultRecord },
): Promise<UnlockKey | undefined> {
  const wrapper = record.wrappers.find(({ kind }) => kind === 'assisted')?.id
  if (wrapper === undefined) return undefined
  const deviceShare = await store.recall(shareStorageKey(userId))
  try {
    const { server, escrow } = await client(postSharesRelease, {
      body: { userId, wrapper, recover: deviceShare === undefined },
    })
    const secondShare = deviceShare ?? escrow
    return secondShare === null
      ? undefined
      : await assistedUnlockKey(wrapper, [decodeShare(server), decodeShare(secondShare)])
  } catch (error) {
    // The sign-in is too old, or the operator no longer offers recovery. The user can still use a different key.
    if (isKeysFailure(error, 'session/stale', 'device/unknown', 'path/unknown', 'limit/reached')) return undefined
    throw error
  }
}

function shareStorageKey(userId: string): string {
  return `share:${userId}`
}

function decodeShare(share: string): Bytes {
  return new Uint8Array(fromBase64Url(share) ?? [])
}
