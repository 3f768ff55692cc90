import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { postShares, postSharesRelease } from '@latchkey/protocol/http/vaultShares'
import type { DeviceStore } from './deviceStore.ts'
import { assistedUnlockKey, createAssistedUnlockKey } from './keys/assistedCustody.ts'
import type { Bytes, CryptoEnvironment, UnlockedVault, UnlockKey, VaultRecord } from './keys/index.ts'
import { isVaultFailure, type VaultClient } from './vaultClient.ts'

// Assisted custody: only in a frame that was built for it (`CUSTODY=assisted`). A server alone cannot switch it on, or whoever
// runs one could have itself made a key of every wallet.

/** What sharing with the operator needs. */
export interface OperatorSharesDependencies {
  readonly vault: VaultClient
  readonly store: DeviceStore
  readonly environment: CryptoEnvironment
}

/** Makes a vault that is new one that the operator can open: two of three shares are its own, the third stays here. */
export async function createOperatorShares(
  { vault: client, store, environment }: OperatorSharesDependencies,
  { userId, vault }: { readonly userId: string; readonly vault: UnlockedVault },
): Promise<void> {
  const { key, shares } = await createAssistedUnlockKey(environment)
  const [server, escrow] = [toBase64Url(shares.server), toBase64Url(shares.escrow)]
  const { wallet } = vault.record
  // The operator first: a key whose shares nobody has would look like one that helps.
  await client(postShares, { body: { userId, wallet, wrapper: key.id, server, escrow } })
  await vault.addWrapper(key, 'Recovery with the operator')
  // One share of three tells nothing.
  await store.remember(shareStorageKey(userId), toBase64Url(shares.device))
}

/** The operator's key for `record`, given out to whoever has just signed in; `undefined` where there is none, or not now. */
export async function getOperatorUnlockKey(
  { vault: client, store }: OperatorSharesDependencies,
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
    // Signed in too long ago, or the operator no longer helps: another key of the owner's is asked for.
    if (isVaultFailure(error, 'session/stale', 'device/unknown', 'path/unknown', 'limit/reached')) return undefined
    throw error
  }
}

function shareStorageKey(userId: string): string {
  return `share:${userId}`
}

function decodeShare(share: string): Bytes {
  return new Uint8Array(fromBase64Url(share) ?? [])
}
