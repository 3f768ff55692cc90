import type { VaultMe } from '@latchkey/protocol/http/vault'
import type { VaultRecord, WrapperKind } from '../keys/index.ts'

/** One of the owner's keys, as the page lists it. */
export interface KeyRow {
  readonly id: string
  readonly kind: WrapperKind
  readonly name: string
  readonly createdAt: number
  /** When it was last used to sign in or to open; `undefined` where nobody can know. */
  readonly lastUsedAt: number | undefined
  /** Whether it is the browser that shows the list. */
  readonly isThis: boolean
  /** `signs-in`: a passkey that opens nothing. `dead`: it opened the wallet, and its other half is gone. */
  readonly state: 'opens' | 'signs-in' | 'dead'
}

/** Everything that opens the wallet or signs in to its account: what the record says, and what the server knows of it. */
export function listKeys({ devices, passkeys }: Pick<VaultMe, 'devices' | 'passkeys'>, record: VaultRecord): KeyRow[] {
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

/** Whether `row` may go: never the last one that opens the wallet. */
export function canRemoveKey(rows: readonly KeyRow[], row: KeyRow): boolean {
  return row.state !== 'opens' || rows.filter(({ state }) => state === 'opens').length > 1
}
