import { openIndexedDb } from '@latchkey/protocol/openIndexedDb'
import { type KeyValueStorage, memoryStorage } from './storage.ts'

const table = 'records'

/**
 * Creates storage that uses IndexedDB. If the browser denies access, for example in a private window, data is stored in memory
 * instead.
 *
 * @example
 * const client = await createClient({ relay, metadata, storage: browserStorage('second-client') })
 */
export function browserStorage(name = 'latchkey-walletconnect'): KeyValueStorage {
  let opening: Promise<KeyValueStorage> | undefined
  const ready = (): Promise<KeyValueStorage> => {
    opening ??= openIndexedDb(() => indexedDB, name, [table]).then(storageOver, () => memoryStorage())
    return opening
  }
  return {
    get: async (key) => (await ready()).get(key),
    set: async (key, value) => (await ready()).set(key, value),
    remove: async (key) => (await ready()).remove(key),
    list: async (prefix) => (await ready()).list(prefix),
  }
}

function storageOver(database: IDBDatabase): KeyValueStorage {
  const run = <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(table, mode)
      const request = act(transaction.objectStore(table))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = transaction.onabort = () => reject(transaction.error)
    })
  return {
    get: (key) => run('readonly', (store) => store.get(key)),
    async set(key, value) {
      await run('readwrite', (store) => store.put(value, key))
    },
    async remove(key) {
      await run('readwrite', (store) => store.delete(key))
    },
    async list(prefix) {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
      const [keys, values] = await Promise.all([
        run('readonly', (store) => store.getAllKeys(range)),
        run('readonly', (store) => store.getAll(range)),
      ])
      return keys.map((key, at) => [String(key), values[at]] as const)
    },
  }
}
