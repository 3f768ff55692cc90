import { failure } from '@latchkey/protocol/errors/errorMessages'
import { read } from '@latchkey/protocol/parseWithSchema'
import { createExpirer } from './expirer.ts'
import type { Reason } from './protocolMethods.ts'
import type { RpcEngine } from './rpcEngine.ts'
import { type Session, sessionSchema } from './schemas.ts'

/** The maximum lifetime of a session after its settlement or extension, in seconds. */
export const sessionTtl: number = 7 * 86_400

/** The reason why a session ended. */
export type SessionEndReason = Reason | 'expired'

/** The stored sessions, which are deleted when they expire. */
export interface SessionStore {
  all(): readonly Session[]
  get(topic: string): Session | undefined
  /** Stores a new or changed session. */
  store(session: Session): Promise<void>
  /** Deletes a session and its key. */
  remove(topic: string): Promise<void>
  /** Deletes a settled session and its key, and reports that the session has ended. */
  end(session: Session, reason: SessionEndReason): Promise<void>
  /** Restores the stored sessions, and deletes those that are invalid or expired. */
  restore(): Promise<void>
}

/** Creates a session store that uses the storage of `rpc`. Calls `onEnded` when a session ends or expires. */
export function createSessionStore(
  rpc: RpcEngine,
  onEnded: (session: Session, reason: SessionEndReason) => void,
): SessionStore {
  const { clock, storage } = rpc
  const sessions = new Map<string, Session>()
  const expirer = createExpirer(clock)

  const remove = async (topic: string): Promise<void> => {
    sessions.delete(topic)
    expirer.remove(`topic:${topic}`)
    await storage.remove(`session:${topic}`)
    await rpc.unsubscribe(topic)
  }

  const end = async (session: Session, reason: SessionEndReason): Promise<void> => {
    if (!sessions.has(session.topic)) return
    await remove(session.topic)
    onEnded(session, reason)
  }

  const add = (session: Session): void => {
    sessions.set(session.topic, session)
    expirer.set(`topic:${session.topic}`, session.expiry, () => void end(session, 'expired'))
  }

  return {
    all: () => [...sessions.values()],
    get: (topic) => sessions.get(topic),
    async store(session) {
      add(session)
      await storage.set(`session:${session.topic}`, session)
    },
    remove,
    end,
    async restore() {
      for (const [key, value] of await storage.list('session:')) {
        const session = read(sessionSchema, value)
        if (session && session.expiry > Math.floor(clock.now() / 1000)) add(session)
        else {
          await storage.remove(key)
          await rpc.unsubscribe(key.slice('session:'.length))
        }
      }
    },
  }
}

/**
 * Returns a session.
 * @throws `session/gone` if the session has ended.
 */
export function requireSession(sessions: Pick<SessionStore, 'get'>, topic: string): Session {
  const session = sessions.get(topic)
  if (!session) throw failure('session/gone')
  return session
}
