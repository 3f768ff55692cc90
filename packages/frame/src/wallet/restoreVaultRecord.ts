import { fromBase64Url } from '@latchkey/protocol/bytes'
import { getMe, type KeysMe, postDeviceHalf } from '@latchkey/protocol/http/keys'
import {
  type CryptoEnvironment,
  deviceUnlockKey,
  KeyError,
  parseRecord,
  type UnlockedVault,
  type UnlockKey,
  type VaultRecord,
} from '@latchkey/vault'
import { openVault } from '@latchkey/vault/openVault'
import { verifyMac } from '@latchkey/vault/sealedVault'
import type { ApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { KeysApiClient } from '../keysApiClient.ts'
import type { DeviceStore } from './deviceStore.ts'

/** The dependencies for restoring a vault record. */
export interface RestoreDependencies {
  readonly keysClient: KeysApiClient
  readonly store: DeviceStore
  readonly approvals: ApprovalQueue<ApprovalView>
  readonly environment: CryptoEnvironment
  /** Returns the origin of the embedding page, or `undefined` if the frame is the top-level page. */
  readonly embedder: () => string | undefined
}

/** Parses the server's record. Returns `undefined` if the record is invalid or older than the version that the server reports. */
export function readServerRecord({ record, version }: NonNullable<KeysMe['record']>): VaultRecord | undefined {
  const found = tryParseRecord(record)
  return found && found.version >= version ? found : undefined
}

/** Returns the wrappers in the server's record and in this device's copy, because the server's record might lack some. */
export async function getKnownWrappers(
  dependencies: RestoreDependencies,
  { user, record }: { readonly user: string; readonly record: VaultRecord },
): Promise<VaultRecord['wrappers']> {
  const stored = await lastSeenRecord(dependencies, user)
  return stored?.wallet === record.wallet ? [...record.wrappers, ...stored.wrappers] : record.wrappers
}

/** Whether the error could mean that the record was written by someone who cannot open the vault. */
export function isForgery(error: unknown): boolean {
  return (
    error instanceof KeyError &&
    ['vault/forged', 'vault/rolled-back', 'wrapper/does-not-open', 'wrapper/unknown'].includes(error.code)
  )
}

/**
 * Restores the vault from the last record that this device saw, if the server's record was not written by an owner. Anyone with
 * access to the user's mailbox can store such a record. The restored record is saved and the user is notified. Resolves to
 * `undefined` if the server's record is genuine, or if no available key opens this device's copy.
 */
export async function restoreFromDevice(
  dependencies: RestoreDependencies,
  me: KeysMe,
  { suppliedKey, record }: { readonly suppliedKey: UnlockKey | undefined; readonly record: VaultRecord | undefined },
): Promise<UnlockedVault | undefined> {
  const { environment, keysClient: client } = dependencies
  const user = me.user.id
  const store = dependencies.store.vaultStore(user, client)
  const stored = await lastSeenRecord(dependencies, user)
  if (!me.record || !stored || (record && stored.wallet !== record.wallet)) return undefined
  const key = await findUnlockKey(dependencies, user, stored, suppliedKey)
  if (!key) return undefined
  const vault = await openVault({ user, record: stored, key, environment, store }).catch(() => undefined)
  if (!vault) return undefined
  try {
    const isGenuine =
      record !== undefined &&
      record.version >= stored.version &&
      (await vault
        .withVaultKey((vaultKey) => verifyMac(environment, vaultKey, record))
        .then(
          () => true,
          () => false,
        ))
    if (isGenuine) {
      vault.lock()
      return undefined
    }
    await overwriteAndNotify(dependencies, vault, me.record.version)
  } catch (error) {
    vault.lock()
    throw error
  }
  return vault
}

/** Returns the latest of the user's records that this device has seen. */
export async function lastSeenRecord(
  { store, keysClient }: RestoreDependencies,
  user: string,
): Promise<VaultRecord | undefined> {
  const text = await store.vaultStore(user, keysClient).newestSeenRecord()
  const stored = text === undefined ? undefined : tryParseRecord(text)
  return stored?.user === user ? stored : undefined
}

/** Saves the record of `vault` as the version that follows `after`, and notifies the user. */
export async function overwriteAndNotify(
  { keysClient: client, approvals, embedder }: RestoreDependencies,
  vault: UnlockedVault,
  after: number,
): Promise<void> {
  try {
    await vault.overwriteVersion(after)
  } catch (error) {
    if (!(error instanceof KeyError && error.code === 'vault/conflict')) throw error
    // Another device saved a record first. That record is only adopted if the other device restored it as well.
    const { record } = await client(getMe)
    if (!record) throw error
    await vault.adoptRecord(record.record)
  }
  // Not awaited, because the record is restored whatever the user does, and a different screen might be in front.
  approvals
    .ask({ subject: { kind: 'putBack', origin: embedder() }, perform: async () => undefined })
    .catch(() => undefined)
}

async function findUnlockKey(
  { store, keysClient }: RestoreDependencies,
  user: string,
  stored: VaultRecord,
  suppliedKey: UnlockKey | undefined,
): Promise<UnlockKey | undefined> {
  const opens = ({ kind, id }: Pick<UnlockKey, 'kind' | 'id'>): boolean =>
    stored.wrappers.some((wrapper) => wrapper.kind === kind && wrapper.id === id)
  if (suppliedKey && opens(suppliedKey)) return suppliedKey
  if (!(await store.available())) return undefined
  const device = await store.device(user, false)
  if (!device || !opens({ kind: 'device', id: device.id })) return undefined
  const response = await keysClient(postDeviceHalf, { params: { id: device.id } }).catch(() => undefined)
  return response && deviceUnlockKey(device.id, device.secret, new Uint8Array(fromBase64Url(response.serverHalf) ?? []))
}

function tryParseRecord(text: string): VaultRecord | undefined {
  try {
    return parseRecord(text)
  } catch {
    return undefined
  }
}
