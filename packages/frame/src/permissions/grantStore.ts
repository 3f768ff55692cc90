import { openIndexedDb } from '@latchkey/protocol/openIndexedDb'
import type { ServerClock } from '../serverClock.ts'
import type { Grant } from './grant.ts'

/** A store for this device's grants, in a separate database. */
export interface GrantStore {
  /** Stores a new grant. */
  add(grant: Grant): Promise<void>
  /** Returns all grants of a user, newest first. Grants that ended long ago are deleted. */
  of(userId: string): Promise<readonly Grant[]>
  /**
   * Reads and updates a grant atomically, so that the second of two concurrent calls sees the usage that the first one stored.
   * `now` is in seconds.
   */
  change<Result>(
    context: string,
    change: (grant: Grant | undefined, now: number) => { readonly grant?: Grant; readonly result: Result },
  ): Promise<Result>
  /** Returns the time in seconds, which is never earlier than the last time that the server reported. */
  now(): Promise<number>
  /** Revokes all active grants of a user. */
  revokeAll(userId: string): Promise<void>
  /** Runs tasks with the same key one at a time, across all tabs, because a second transaction needs the next nonce. */
  inTurn<Result>(key: string, run: () => Promise<Result>): Promise<Result>
}

const databaseName = 'latchkey-permissions'
const [grants, clock] = ['grants', 'clock'] as const
/** The key for the last reported server time. Earlier versions stored the device's time under a different key. */
const clockKey = 'server'
/** How long grants stay in the list after they have ended. */
const retentionSeconds = 90 * 86_400

/**
 * Creates a grant store that uses IndexedDB.
 *
 * Grants expire over time, and clocks can be wrong. Only the server's time is stored. Until the server has reported its time, the
 * device's clock is used for each operation but never counts as earlier than the last server time. A fast device clock therefore
 * causes grants to expire only while the clock is fast. If the server reports an earlier time than before, its clock was fast and
 * has been corrected. The earlier time then applies, so that new grants are valid. Grants that had already expired are revoked
 * first, so that they stay expired. Usage is never reset, because setting a clock back does not start a new period
 * (`checkGrant.ts`).
 */
export function createGrantStore({
  indexedDB,
  locks,
  clock: serverClock,
}: {
  /** Returns `window.indexedDB`. Reading the property can throw if access to storage is denied. */
  readonly indexedDB: () => IDBFactory
  /** `undefined` if the browser does not support Web Locks. Tasks are then only serialized within this document. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly clock: Pick<ServerClock, 'now' | 'isSet'>
}): GrantStore {
  const waiting = new Map<string, Promise<unknown>>()

  /** Runs `act`, which must issue its requests synchronously. Resolves once the transaction is on disk. */
  const run = async <Result>(act: (found: IDBTransaction) => { value: Result; failed?: unknown }): Promise<Result> => {
    const database = await openIndexedDb(indexedDB, databaseName, [grants, clock])
    try {
      const transaction = database.transaction([grants, clock], 'readwrite', { durability: 'strict' })
      const box = act(transaction)
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(box.failed ?? transaction.error ?? new DOMException('', 'AbortError'))
      })
      return box.value
    } finally {
      database.close()
    }
  }

  /** Calls `then` with the time that applies. */
  const atTime = (transaction: IDBTransaction, then: (now: number) => void): void => {
    const store = transaction.objectStore(clock)
    const asking = store.get(clockKey) as IDBRequest<number | undefined>
    asking.onsuccess = () => {
      const before = asking.result ?? 0
      const response = Math.floor(serverClock.now() / 1000)
      if (!serverClock.isSet()) {
        then(Math.max(response, before))
        return
      }
      if (response !== before) store.put(response, clockKey)
      if (response >= before) {
        then(response)
        return
      }
      const table = transaction.objectStore(grants)
      const looking = table.getAll() as IDBRequest<Grant[]>
      looking.onsuccess = () => {
        for (const grant of looking.result)
          if (grant.revokedAt === undefined && grant.expiry <= before)
            table.put({ ...grant, revokedAt: response }, grant.context)
        then(response)
      }
    }
  }

  const eachOf = (transaction: IDBTransaction, userId: string, then: (all: readonly Grant[]) => void): void => {
    const asking = transaction.objectStore(grants).getAll() as IDBRequest<Grant[]>
    asking.onsuccess = () => then(asking.result.filter((grant) => grant.userId === userId))
  }

  return {
    add: (grant) =>
      run((transaction) => {
        // Uses `add` instead of `put`, so that a new grant cannot overwrite an existing one. `atTime` first revokes the grants
        // that expired because of a wrong time, so the new grant is not revoked with them.
        atTime(transaction, () => void transaction.objectStore(grants).add(grant, grant.context))
        return { value: undefined }
      }),
    of: (userId) =>
      run((transaction) => {
        const box: { value: readonly Grant[] } = { value: [] }
        atTime(transaction, (now) =>
          eachOf(transaction, userId, (all) => {
            const old = (grant: Grant): boolean => (grant.revokedAt ?? grant.expiry) < now - retentionSeconds
            for (const { context } of all.filter(old)) transaction.objectStore(grants).delete(context)
            box.value = all.filter((grant) => !old(grant)).sort((a, b) => b.createdAt - a.createdAt)
          }),
        )
        return box
      }),
    change: <Result>(
      context: string,
      change: (grant: Grant | undefined, now: number) => { readonly grant?: Grant; readonly result: Result },
    ) =>
      run((transaction) => {
        const box: { value: Result; failed?: unknown } = { value: undefined as Result }
        const store = transaction.objectStore(grants)
        atTime(transaction, (now) => {
          const asking = store.get(context) as IDBRequest<Grant | undefined>
          asking.onsuccess = () => {
            try {
              const { grant, result } = change(asking.result, now)
              if (grant) store.put(grant, context)
              box.value = result
            } catch (error) {
              box.failed = error
              transaction.abort()
            }
          }
        })
        return box
      }),
    now: () =>
      run((transaction) => {
        const box = { value: 0 }
        atTime(transaction, (now) => {
          box.value = now
        })
        return box
      }),
    revokeAll: (userId) =>
      run((transaction) => {
        atTime(transaction, (now) =>
          eachOf(transaction, userId, (all) => {
            for (const grant of all)
              if (grant.revokedAt === undefined && grant.expiry > now)
                transaction.objectStore(grants).put({ ...grant, revokedAt: now }, grant.context)
          }),
        )
        return { value: undefined }
      }),
    inTurn(key, work) {
      // `locks.request` resolves to the result of `work`, but its type wraps the result in a second promise.
      if (locks) return locks.request(`latchkey-permissions:${key}`, () => work()) as ReturnType<typeof work>
      const before = waiting.get(key) ?? Promise.resolve()
      const mine = before.then(work, work)
      waiting.set(key, mine)
      return mine.finally(() => {
        if (waiting.get(key) === mine) waiting.delete(key)
      })
    },
  }
}
