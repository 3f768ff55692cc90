/**
 * Opens version 1 of an IndexedDB database. If the database does not exist, creates it with its tables. Rejects with the
 * browser's error if access to storage is denied, and with an `InvalidStateError` if a tab that has an older version open blocks
 * the upgrade. The connection closes when another tab upgrades the database.
 *
 * @param factory Returns `window.indexedDB`. Reading the property can throw if access to storage is denied.
 */
export function openIndexedDb(
  factory: () => IDBFactory,
  name: string,
  tables: readonly string[],
): Promise<IDBDatabase> {
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
