import { deleteDevice, deletePasskey, getMe } from '@latchkey/protocol/http/keys'
import { KeyError } from '@latchkey/vault'
import { expect, test } from 'vitest'
import { type KeysApiClient, KeysServerError } from '../keysApiClient.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { KeyRow } from './listUnlockKeys.ts'
import { createUnlockKeyManagement } from './unlockKeyManagement.ts'

const names = new Map<object, string>([
  [deleteDevice, 'delete device'],
  [deletePasskey, 'delete passkey'],
])

/** Creates the key management for a wallet that opens with a device key and, by default, a passkey. */
function keysOf({
  hasPasskey = true,
  conflicts = 0,
  failure,
}: {
  hasPasskey?: boolean
  conflicts?: number
  failure?: Error
} = {}) {
  const done: string[] = []
  let conflictsLeft = conflicts
  const wrapper = (kind: KeyRow['kind'], id: string) => ({ kind, id, name: id, createdAt: 1 })
  const record = { wrappers: [wrapper('device', 'd'), ...(hasPasskey ? [wrapper('passkey', 'p')] : [])] }
  const opened = {
    userId: 'ada',
    vault: {
      record,
      adoptRecord: async (text: string) => void done.push(`adopt ${text}`),
      removeWrapper: async (id: string) => {
        conflictsLeft -= 1
        if (conflictsLeft >= 0) throw new KeyError('vault/conflict')
        done.push(`remove ${id}`)
      },
    },
  } as unknown as OpenedWallet
  const device = { id: 'd', name: 'Laptop', isThis: true, revokedAt: null }
  const keysClient = (async (call: object) => {
    if (call === getMe) return { devices: [device], passkeys: [], record: { record: 'newest' } }
    if (failure) throw failure
    done.push(names.get(call) ?? 'not expected')
  }) as unknown as KeysApiClient
  const store = { forgetDevice: async (user: string) => void done.push(`forget device of ${user}`) }
  const row = (kind: KeyRow['kind'], id: string, isThis = false): KeyRow => {
    return { id, kind, name: id, createdAt: 1, lastUsedAt: undefined, isThis, state: 'opens' }
  }
  return {
    ...createUnlockKeyManagement({ keysClient, store, wallet: { lock: () => void done.push('lock') } }),
    done,
    opened,
    row,
  }
}

test('removes a key from the wallet first and then from the server', async () => {
  const { remove, opened, row, done } = keysOf()
  await remove(opened, row('passkey', 'p'))
  expect(done).toEqual(['remove p', 'delete passkey'])
})

test('removing this browser’s key also deletes it from the browser and locks the wallet', async () => {
  const { remove, opened, row, done } = keysOf()
  await remove(opened, row('device', 'd', true))
  expect(done).toEqual(['remove d', 'delete device', 'forget device of ada', 'lock'])
})

test('does not remove the last key that opens the wallet', async () => {
  const { remove, opened, row, done } = keysOf({ hasPasskey: false })
  await expect(remove(opened, row('device', 'd', true))).rejects.toMatchObject({ code: 'wrapper/last' })
  expect(done).toEqual([])
})

test('removing a device succeeds if the server has already removed it, but any other failure is reported', async () => {
  const gone = keysOf({ failure: new KeysServerError({ code: 'device/unknown' } as never) })
  await gone.remove(gone.opened, gone.row('device', 'd'))
  expect(gone.done).toEqual(['remove d'])
  const away = keysOf({ failure: new Error('offline') })
  await expect(away.remove(away.opened, away.row('device', 'd'))).rejects.toThrow('offline')
})

test('retries a change once with the newest record if it conflicts with a change on another device', async () => {
  const once = keysOf({ conflicts: 1 })
  await once.remove(once.opened, once.row('passkey', 'p'))
  expect(once.done).toEqual(['adopt newest', 'remove p', 'delete passkey'])
  const twice = keysOf({ conflicts: 2 })
  await expect(twice.remove(twice.opened, twice.row('passkey', 'p'))).rejects.toMatchObject({ code: 'vault/conflict' })
})
