import { fromBase64Url } from '@latchkey/protocol/bytes'
import { getMe, postDeviceHalf, type VaultMe } from '@latchkey/protocol/http/vault'
import type { Approvals } from './approvals.ts'
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
import type { DeviceStore } from './store.ts'
import type { Subject } from './subject.ts'
import type { VaultClient } from './vaultClient.ts'

/** What putting a record back needs. */
export interface RestoreNeeds {
  readonly vault: VaultClient
  readonly store: DeviceStore
  readonly approvals: Approvals<Subject>
  readonly environment: CryptoEnvironment
  /** The page that embeds us; `undefined` on a page of our own. */
  readonly embedder: () => string | undefined
}

/** The server's record; `undefined` where it is none, or older than the server says: no owner has written it. */
export function readable({ record, version }: NonNullable<VaultMe['record']>): VaultRecord | undefined {
  const found = parsed(record)
  return found && found.version >= version ? found : undefined
}

/** The keys of both the server's record and what this device has kept: the server's may be gone. */
export async function knownWrappers(
  needs: RestoreNeeds,
  { user, record }: { readonly user: string; readonly record: VaultRecord },
): Promise<VaultRecord['wrappers']> {
  const kept = await keptHere(needs, user)
  return kept?.wallet === record.wallet ? [...record.wrappers, ...kept.wrappers] : record.wrappers
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
export async function restoredHere(
  needs: RestoreNeeds,
  me: VaultMe,
  { brought, record }: { readonly brought: UnlockKey | undefined; readonly record: VaultRecord | undefined },
): Promise<UnlockedVault | undefined> {
  const { environment, vault: client } = needs
  const user = me.user.id
  const store = needs.store.vaultStore(user, client)
  const kept = await keptHere(needs, user)
  if (!me.record || !kept || (record && kept.wallet !== record.wallet)) return undefined
  const key = await keyTo(needs, user, kept, brought)
  if (!key) return undefined
  const vault = await openVault({ user, record: kept, key, environment, store }).catch(() => undefined)
  if (!vault) return undefined
  try {
    const isGenuine =
      record !== undefined &&
      record.version >= kept.version &&
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
    await putBackAndTell(needs, vault, me.record.version)
  } catch (error) {
    vault.lock()
    throw error
  }
  return vault
}

/** The record of this user that this device saw last. */
export async function keptHere({ store, vault }: RestoreNeeds, user: string): Promise<VaultRecord | undefined> {
  const text = await store.vaultStore(user, vault).newestSeenRecord()
  const kept = text === undefined ? undefined : parsed(text)
  return kept?.user === user ? kept : undefined
}

/** Saves the record of `vault` as the one after `after`, and tells the visitor. */
export async function putBackAndTell(
  { vault: client, approvals, embedder }: RestoreNeeds,
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

async function keyTo(
  { store, vault }: RestoreNeeds,
  user: string,
  kept: VaultRecord,
  brought: UnlockKey | undefined,
): Promise<UnlockKey | undefined> {
  const opens = ({ kind, id }: Pick<UnlockKey, 'kind' | 'id'>): boolean =>
    kept.wrappers.some((one) => one.kind === kind && one.id === id)
  if (brought && opens(brought)) return brought
  if (!(await store.available())) return undefined
  const device = await store.device(user, false)
  if (!device || !opens({ kind: 'device', id: device.id })) return undefined
  const half = await vault(postDeviceHalf, { params: { id: device.id } }).catch(() => undefined)
  return half && deviceUnlockKey(device.id, device.secret, new Uint8Array(fromBase64Url(half.serverHalf) ?? []))
}

function parsed(text: string): VaultRecord | undefined {
  try {
    return parseRecord(text)
  } catch {
    return undefined
  }
}
