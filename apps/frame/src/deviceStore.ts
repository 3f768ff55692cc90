import { putRecord } from '@latchkey/protocol/http/vault'
import type { Bytes, DeviceSecret, VaultStore } from './keys/cryptoEnvironment.ts'
import { KeyError } from './keys/errors.ts'
import { isVaultFailure, type VaultClient } from './vaultClient.ts'

/** What this device keeps for one user: its id at the server, and a key that WebCrypto never gives out. */
export interface DeviceIdentity {
  readonly id: string
  readonly secret: DeviceSecret
}

/** What the frame remembers on this device. */
export interface DeviceStore {
  /** `false` where the browser keeps nothing for us: then this device cannot be one of the keys. */
  available(): Promise<boolean>
  /** This device as the user's key; made on the first call when `make`. */
  device(userId: string, make: boolean): Promise<DeviceIdentity | undefined>
  /** Forgets that this device was the user's key. */
  forgetDevice(userId: string): Promise<void>
  /** Where the records of one user's vault are kept: at the server, and what this device remembers of them. */
  vaultStore(userId: string, vault: VaultClient): VaultStore
  /** A small thing to remember: settings, not secrets. */
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

/** What the frame remembers, in the browser's own database of this origin. */
export function createDeviceStore({
  indexedDB,
  crypto,
}: {
  /** Reading `window.indexedDB` may throw where storage is denied. */
  readonly indexedDB: () => IDBFactory
  readonly crypto: Crypto
}): DeviceStore {
  let opened: Promise<IDBDatabase> | undefined

  const database = (): Promise<IDBDatabase> => {
    opened ??= open(indexedDB).then((found) => {
      // Another tab brings a newer layout, or the visitor clears the site: the next question opens it anew.
      found.onversionchange = () => found.close()
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
      // Only when it is on disk: a key that a vault is sealed under must not be lost by a crash.
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
      // Two tabs may be here at once: the first one's key is the one that stays.
      await run('devices', 'readwrite', (store) => store.add(made, userId)).catch(() => undefined)
      const stored = await get<StoredDeviceKey>('devices', userId)
      return stored && deviceOf(stored)
    },
    forgetDevice: (userId) => remove('devices', userId),
    vaultStore: (userId, vault) => ({
      async save(record, after) {
        try {
          await vault(putRecord, { body: { userId, record, expectedVersion: after } })
        } catch (error) {
          throw isVaultFailure(error, 'record/conflict') ? new KeyError('vault/conflict') : error
        }
      },
      draft: () => quiet(get<string>('drafts', userId)),
      storeDraft: async (record) => {
        await quiet(record === undefined ? remove('drafts', userId) : put('drafts', userId, record))
      },
      highestSeenVersion: async (wallet) => (await quiet(get<number>('seen', wallet))) ?? 0,
      recordSeenVersion: async (wallet, version, record) => {
        await quiet(put('seen', wallet, version))
        await quiet(put('drafts', `kept:${userId}`, record))
      },
      newestSeenRecord: () => quiet(get<string>('drafts', `kept:${userId}`)),
    }),
    recall: (name) => quiet(get<string>('settings', name)),
    remember: async (name, value) => {
      await quiet(put('settings', name, value))
    },
  }
}

/** Where storage is denied a vault can still be opened by a passkey or the kit: what is only a help is not asked for twice. */
function quiet<Value>(promise: Promise<Value | undefined>): Promise<Value | undefined> {
  return promise.catch(() => undefined)
}

function open(indexedDB: () => IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB().open(databaseName, 1)
    request.onupgradeneeded = () => {
      for (const table of tables) request.result.createObjectStore(table)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new DOMException('', 'InvalidStateError'))
  })
}
