import type { KeysMe } from '@latchkey/protocol/http/keys'
import type { VaultRecord, WrapperKind } from '@latchkey/vault'

/** One of the owner's keys, as listed on the wallet page. */
export interface KeyRow {
  readonly id: string
  readonly kind: WrapperKind
  readonly name: string
  readonly createdAt: number
  /** When the key was last used to log in or to open the wallet, or `undefined` if unknown. */
  readonly lastUsedAt: number | undefined
  /** Whether the key belongs to this browser. */
  readonly isThis: boolean
  /** `signs-in` is a passkey that can only log the user in. `dead` is a device key whose share on the server no longer exists. */
  readonly state: 'opens' | 'signs-in' | 'dead'
}

/** Lists all keys that open the wallet or log the user in to its account, based on the record and the server's data. */
export function listUnlockKeys(
  { devices, passkeys }: Pick<KeysMe, 'devices' | 'passkeys'>,
  record: VaultRecord,
): KeyRow[] {
  const sealed = record.wrappers.map(({ kind, id, name, createdAt }): KeyRow => {
    const device = kind === 'device' ? devices.find((entry) => entry.id === id) : undefined
    const passkey = kind === 'passkey' ? passkeys.find((entry) => entry.id === id) : undefined
    const isDead = kind === 'device' && (device === undefined || device.revokedAt !== null)
    return {
      id,
      kind,
      name: passkey?.name ?? device?.name ?? name,
      createdAt,
      lastUsedAt: passkey?.lastUsedAt ?? device?.lastUsedAt,
      isThis: device?.isThis ?? false,
      state: isDead ? 'dead' : 'opens',
    }
  })
  const wrapperIds = new Set(record.wrappers.map(({ id }) => id))
  const signInOnly = passkeys
    .filter(({ id }) => !wrapperIds.has(id))
    .map(({ id, name, createdAt, lastUsedAt }): KeyRow => {
      const lastUsed = lastUsedAt ?? undefined
      return { id, kind: 'passkey', name, createdAt, lastUsedAt: lastUsed, isThis: false, state: 'signs-in' }
    })
  return [...sealed, ...signInOnly]
}

/** Whether `row` can be removed. The last key that opens the wallet cannot be removed. */
export function canRemoveKey(rows: readonly KeyRow[], row: KeyRow): boolean {
  return row.state !== 'opens' || rows.filter(({ state }) => state === 'opens').length > 1
}
