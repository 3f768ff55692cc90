import { isNamespace, type Namespace } from '@latchkey/protocol/caip'
import { read } from '@latchkey/protocol/parseWithSchema'
import type { Client, Session as Settled } from '@latchkey/walletconnect'
import * as v from 'valibot'

/** The storage key prefix for the chains requested from the wallet, followed by the session's topic. */
const requestedKey = 'requested:'
/** The storage key prefix for the topic of the session that was last settled for a namespace, followed by the namespace. */
const holderKey = 'holder:'

/** Stores which settled session each namespace uses, and which sessions have not been opened yet. */
export interface SettledSessions {
  /** Adds a new session for `namespaces`, and ends each earlier session if all of its namespaces are replaced. */
  add(session: Settled, params: { namespaces: readonly Namespace[]; requested: readonly string[] }): Promise<void>
  /** Returns the namespace's new session, unless it has already been taken. */
  fresh(namespace: Namespace): Settled | undefined
  /** Returns the namespace's new session and marks it as taken. */
  takeFresh(namespace: Namespace): Settled | undefined
  /** Resolves to the session that was last settled for the namespace, if that session is still live. */
  find(namespace: Namespace): Promise<Settled | undefined>
  /** Resolves to the chains that were requested for the session. */
  requestedChains(topic: string): Promise<readonly string[] | undefined>
  /** Removes the stored data for a session that has ended. */
  forget(topic: string): void
}

/** Creates the store of settled sessions for a client. Sessions from earlier page loads are read from `storage`. */
export function createSettledSessions({
  sessions,
  storage,
}: {
  readonly sessions: Pick<Client['sessions'], 'all' | 'disconnect'>
  readonly storage: Pick<Client['rpc']['storage'], 'get' | 'remove' | 'set'>
}): SettledSessions {
  /** The newly settled sessions, which the next `connect()` call in each namespace takes. */
  const fresh = new Map<Namespace, Settled>()

  return {
    async add(session, { namespaces, requested }) {
      await storage.set(`${requestedKey}${session.topic}`, requested)
      for (const namespace of namespaces) {
        fresh.set(namespace, session)
        await storage.set(`${holderKey}${namespace}`, session.topic)
      }
      for (const earlier of sessions.all())
        if (
          earlier.topic !== session.topic &&
          namespacesOf(earlier).every((namespace) => namespaces.includes(namespace))
        )
          void sessions.disconnect(earlier.topic)
    },
    fresh: (namespace) => fresh.get(namespace),
    takeFresh(namespace) {
      const session = fresh.get(namespace)
      fresh.delete(namespace)
      return session
    },
    async find(namespace) {
      const topic = await storage.get(`${holderKey}${namespace}`)
      return sessions.all().find((session) => session.topic === topic && hasNamespace(session, namespace))
    },
    requestedChains: async (topic) => read(v.array(v.string()), await storage.get(`${requestedKey}${topic}`)),
    forget: (topic) => void storage.remove(`${requestedKey}${topic}`),
  }
}

/** Whether the wallet has granted an account in `namespace`. */
export function hasNamespace(session: Settled, namespace: Namespace): boolean {
  return namespacesOf(session).includes(namespace)
}

function namespacesOf({ namespaces }: Settled): readonly Namespace[] {
  const names = Object.values(namespaces).flatMap(({ accounts }) =>
    accounts.map((account) => account.split(':')[0] ?? ''),
  )
  return [...new Set(names)].filter(isNamespace)
}
