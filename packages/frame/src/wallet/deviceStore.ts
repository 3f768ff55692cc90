import { putRecord } from '@latchkey/protocol/http/keys'
import { openIndexedDb } from '@latchkey/protocol/openIndexedDb'
import type { Bytes, DeviceSecret, VaultStore } from '@latchkey/vault'
import { KeyError } from '@latchkey/vault/errors'
import { isKeysFailure, type KeysApiClient } from '../keysApiClient.ts'

/** A user's device key, which consists of its ID on the server and a non-extractable WebCrypto key. */
export interface DeviceIdentity {
  readonly id: string
  readonly secret: DeviceSecret
}

/** The frame's storage on this device. */
export interface DeviceStore {
  /** Whether storage is available. If not, this device cannot have a device key. */
  available(): Promise<boolean>
  /** Returns the user's device key. If the user has none, creates one if `make` is `true`. */
  device(userId: string, make: boolean): Promise<DeviceIdentity | undefined>
  /** Deletes the user's device key. */
  forgetDevice(userId: string): Promise<void>
  /** Returns the record store for the user's vault. It stores records on the server and caches copies on this device. */
  vaultStore(userId: string, keysClient: KeysApiClient): VaultStore
  /** Reads a stored setting. Settings never contain a secret that can open the vault on its own. */
  recall(name: string): Promise<string | undefined>
  remember(name: string, value: string): Promise<void>
}

interface StoredDeviceKey {
  readonly id: string
  readonly key: CryptoKey
}

const databaseName = 'latchkey'
const tables = ['devices', 'drafts', 'seen', 'settings'] as const
type Table = (typeof tables)[number]

/** Creates a device store that uses IndexedDB. */
export function createDeviceStore({
  indexedDB,
  crypto,
}: {
  /** Returns `window.indexedDB`. Reading the property can throw if access to storage is denied. */
  readonly indexedDB: () => IDBFactory
  readonly crypto: Crypto
}): DeviceStore {
  let opened: Promise<IDBDatabase> | undefined

  const database = (): Promise<IDBDatabase> => {
    opened ??= openIndexedDb(indexedDB, databaseName, tables).then((found) => {
      // The database also closes when the user clears the site's data. The next call reopens it.
      found.onclose = () => {
        opened = undefined
      }
      return found
    })
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }

  const run = async <Result>(
    table: Table,
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> => {
    const transaction = (await database()).transaction(table, mode, { durability: 'strict' })
    const request = act(transaction.objectStore(table))
    return new Promise((resolve, reject) => {
      // Waits for the transaction and not only for the request, because a key that seals a vault must not be lost in a crash.
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new DOMException('', 'AbortError'))
    })
  }
  const get = <Value>(table: Table, key: string): Promise<Value | undefined> =>
    run(table, 'readonly', (store) => store.get(key) as IDBRequest<Value | undefined>)
  const put = async (table: Table, key: string, value: unknown): Promise<void> => {
    await run(table, 'readwrite', (store) => store.put(value, key))
  }
  const remove = async (table: Table, key: string): Promise<void> => {
    await run(table, 'readwrite', (store) => store.delete(key))
  }

  const deviceOf = ({ id, key }: StoredDeviceKey): DeviceIdentity => ({
    id,
    secret: {
      derive: async (info) => new Uint8Array(await crypto.subtle.sign('HMAC', key, info)) satisfies Bytes,
    },
  })

  return {
    available: () =>
      database().then(
        () => true,
        () => false,
      ),
    async device(userId, make) {
      const found = await get<StoredDeviceKey>('devices', userId)
      if (found || !make) return found && deviceOf(found)
      const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign'])
      const made: StoredDeviceKey = { id: crypto.randomUUID(), key }
      // If two tabs create a key at the same time, the first one is kept.
      await run('devices', 'readwrite', (store) => store.add(made, userId)).catch(() => undefined)
      const stored = await get<StoredDeviceKey>('devices', userId)
      return stored && deviceOf(stored)
    },
    forgetDevice: (userId) => remove('devices', userId),
    vaultStore: (userId, keysClient) => ({
      async save(record, after) {
        try {
          await keysClient(putRecord, { body: { userId, record, expectedVersion: after } })
        } catch (error) {
          throw isKeysFailure(error, 'record/conflict') ? new KeyError('vault/conflict') : error
        }
      },
      draft: () => ignoreErrors(get<string>('drafts', userId)),
      storeDraft: async (record) => {
        await ignoreErrors(record === undefined ? remove('drafts', userId) : put('drafts', userId, record))
      },
      highestSeenVersion: async (wallet) => (await ignoreErrors(get<number>('seen', wallet))) ?? 0,
      recordSeenVersion: async (wallet, version, record) => {
        await ignoreErrors(put('seen', wallet, version))
        await ignoreErrors(put('drafts', `kept:${userId}`, record))
      },
      newestSeenRecord: () => ignoreErrors(get<string>('drafts', `kept:${userId}`)),
    }),
    recall: (name) => ignoreErrors(get<string>('settings', name)),
    remember: async (name, value) => {
      await ignoreErrors(put('settings', name, value))
    },
  }
}

/** Ignores storage errors, because a vault can still be opened with a passkey or a recovery kit. */
function ignoreErrors<Value>(promise: Promise<Value | undefined>): Promise<Value | undefined> {
  return promise.catch(() => undefined)
}
