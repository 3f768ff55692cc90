import { fromBase64Url } from '@latchkey/protocol/bytes'
import { getMe, postDeviceHalf, type VaultMe } from '@latchkey/protocol/http/vault'
import type { ApprovalQueue } from './approvalQueue.ts'
import type { ApprovalView } from './approvalViewModel.ts'
import type { DeviceStore } from './deviceStore.ts'
import {
  type CryptoEnvironment,
  deviceUnlockKey,
  KeyError,
  parseRecord,
  type UnlockedVault,
  type UnlockKey,
  type VaultRecord,
} from './keys/index.ts'
import { openVault } from './keys/openVault.ts'
import { verifyMac } from './keys/sealedVault.ts'
import type { VaultClient } from './vaultClient.ts'

/** What putting a record back needs. */
export interface RestoreDependencies {
  readonly vault: VaultClient
  readonly store: DeviceStore
  readonly approvals: ApprovalQueue<ApprovalView>
  readonly environment: CryptoEnvironment
  /** The page that embeds us; `undefined` on a page of our own. */
  readonly embedder: () => string | undefined
}

/** The server's record; `undefined` where it is none, or older than the server says: no owner has written it. */
export function readServerRecord({ record, version }: NonNullable<VaultMe['record']>): VaultRecord | undefined {
  const found = tryParseRecord(record)
  return found && found.version >= version ? found : undefined
}

/** The keys of both the server's record and what this device has kept: the server's may be gone. */
export async function getKnownWrappers(
  dependencies: RestoreDependencies,
  { user, record }: { readonly user: string; readonly record: VaultRecord },
): Promise<VaultRecord['wrappers']> {
  const stored = await lastSeenRecord(dependencies, user)
  return stored?.wallet === record.wallet ? [...record.wrappers, ...stored.wrappers] : record.wrappers
}

/** Whether it may mean that a record was not written by one who could open it. */
export function isForgery(error: unknown): boolean {
  return (
    error instanceof KeyError &&
    ['vault/forged', 'vault/rolled-back', 'wrapper/does-not-open', 'wrapper/unknown'].includes(error.code)
  )
}

/**
 * The vault as this device saw it last, where the server shows a record that no owner has written: whoever reads the mailbox can put one
 * there. It is saved anew, and the visitor is told. `undefined` where the server's record is genuine, or nothing here opens what this
 * device has kept.
 */
export async function restoreFromDevice(
  dependencies: RestoreDependencies,
  me: VaultMe,
  { suppliedKey, record }: { readonly suppliedKey: UnlockKey | undefined; readonly record: VaultRecord | undefined },
): Promise<UnlockedVault | undefined> {
  const { environment, vault: client } = dependencies
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

/** The record of this user that this device saw last. */
export async function lastSeenRecord(
  { store, vault }: RestoreDependencies,
  user: string,
): Promise<VaultRecord | undefined> {
  const text = await store.vaultStore(user, vault).newestSeenRecord()
  const stored = text === undefined ? undefined : tryParseRecord(text)
  return stored?.user === user ? stored : undefined
}

/** Saves the record of `vault` as the one after `after`, and tells the visitor. */
export async function overwriteAndNotify(
  { vault: client, approvals, embedder }: RestoreDependencies,
  vault: UnlockedVault,
  after: number,
): Promise<void> {
  try {
    await vault.overwriteVersion(after)
  } catch (error) {
    if (!(error instanceof KeyError && error.code === 'vault/conflict')) throw error
    // Another device was faster: what it has put back is followed, and nothing else.
    const { record } = await client(getMe)
    if (!record) throw error
    await vault.adoptRecord(record.record)
  }
  // Not waited for: it stands again whatever the visitor makes of being told, and another screen may be in front.
  approvals
    .ask({ subject: { kind: 'putBack', origin: embedder() }, perform: async () => undefined })
    .catch(() => undefined)
}

async function findUnlockKey(
  { store, vault }: RestoreDependencies,
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
  const half = await vault(postDeviceHalf, { params: { id: device.id } }).catch(() => undefined)
  return half && deviceUnlockKey(device.id, device.secret, new Uint8Array(fromBase64Url(half.serverHalf) ?? []))
}

function tryParseRecord(text: string): VaultRecord | undefined {
  try {
    return parseRecord(text)
  } catch {
    return undefined
  }
}
