import type { ServerClock } from '../serverClock.ts'
import type { Grant } from './grant.ts'

/** The grants of this device, in a database of their own. */
export interface GrantStore {
  /** Writes a new grant down. */
  add(grant: Grant): Promise<void>
  /** All grants of one person, the newest first; those that ended long ago are forgotten. */
  of(userId: string): Promise<readonly Grant[]>
  /**
   * Reads one grant and writes what `change` makes of it, with nothing in between: of two calls that race the second sees what the
   * first has used up. `now` is in seconds.
   */
  change<Result>(
    context: string,
    change: (grant: Grant | undefined, now: number) => { readonly grant?: Grant; readonly result: Result },
  ): Promise<Result>
  /** Seconds, never less than what the server said last. */
  now(): Promise<number>
  /** Ends every grant of one person that is still active. */
  revokeAll(userId: string): Promise<void>
  /** Runs what has to go one by one, in all tabs: a second transaction needs the number that follows the first. */
  inTurn<Result>(key: string, run: () => Promise<Result>): Promise<Result>
}

const databaseName = 'latchkey-permissions'
const [grants, clock] = ['grants', 'clock'] as const
/** What the server's clock showed last. What an earlier version kept under another name came from this device's own clock. */
const clockKey = 'server'
/** A grant that is over stays in the list for so long. */
const retentionSeconds = 90 * 86_400

/**
 * Grants in the browser's database of this origin.
 *
 * What ends them is time, and a clock can be wrong once. Only the server's time is kept. This device's own clock, as long as nothing was
 * heard, counts for one question and never goes behind what the server said last: a clock that is ahead ends grants only while it is.
 * Where the server itself says an earlier time than before, its clock was ahead and was put right. Then the earlier time counts, so that
 * new grants live, and what was over by the wrong time is ended for good first, so that no grant that was refused once comes back.
 * What was used up stays used up in any case (`checkGrant.ts`): a clock that was set back begins no new period.
 */
export function createGrantStore({
  indexedDB,
  locks,
  clock: serverClock,
}: {
  /** Reading `window.indexedDB` may throw where storage is denied. */
  readonly indexedDB: () => IDBFactory
  /** `undefined` where the browser has none: then only this document's calls wait for each other. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly clock: Pick<ServerClock, 'now' | 'isHeard'>
}): GrantStore {
  const waiting = new Map<string, Promise<unknown>>()

  /** `act` makes its requests at once; the promise resolves when all of it is on disk, and only then. */
  const run = async <Result>(act: (found: IDBTransaction) => { value: Result; failed?: unknown }): Promise<Result> => {
    const database = await open(indexedDB)
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

  /** Calls `then` with the time that counts. */
  const atTime = (transaction: IDBTransaction, then: (now: number) => void): void => {
    const store = transaction.objectStore(clock)
    const asking = store.get(clockKey) as IDBRequest<number | undefined>
    asking.onsuccess = () => {
      const before = asking.result ?? 0
      const response = Math.floor(serverClock.now() / 1000)
      if (!serverClock.isHeard()) {
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
        // `add`, not `put`: nothing writes over a grant but its own use.
        // After what is over by a wrong time has ended: this one is not.
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
      // The lock hands out what `work` answers, wrapped once more by its types.
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

function open(indexedDB: () => IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB().open(databaseName, 1)
    request.onupgradeneeded = () => {
      for (const table of [grants, clock]) request.result.createObjectStore(table)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
