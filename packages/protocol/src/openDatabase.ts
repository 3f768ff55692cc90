/**
 * Opens an IndexedDB database of version 1, and creates its tables if it does not exist. Rejects with the browser's error if storage is
 * denied, and with an `InvalidStateError` if a tab with an older version blocks it. The connection closes when another tab upgrades the
 * database.
 *
 * @param factory Returns `window.indexedDB`. Reading the property can throw if storage is denied.
 */
export function openDatabase(factory: () => IDBFactory, name: string, tables: readonly string[]): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory().open(name, 1)
    request.onupgradeneeded = () => {
      for (const table of tables) request.result.createObjectStore(table)
    }
    request.onsuccess = () => {
      const database = request.result
      database.onversionchange = () => database.close()
      resolve(database)
    }
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new DOMException('Another tab has an older version open', 'InvalidStateError'))
  })
}
