import { type AccountId, accountId, namespaceOf, parseAccountId } from '@latchkey/protocol/caip'
import { systemClock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { signInLifeMs, signInNonceLifeMs } from '@latchkey/protocol/specificationConstants'
import { readMessage } from '@latchkey/siwx/message'
import type { SignInVerdict } from '@latchkey/siwx/signIn'
import { isCurrent } from '@latchkey/siwx/validateMessage'
import { verifySignIn } from '@latchkey/siwx/verifySignIn'
import type { KeyValueStorage } from '../../options.ts'
import { isRecord, isText } from '../../storage/codecs.ts'
import { storagePrefix } from '../../storage/storagePrefix.ts'
import type { AuthenticationAdapter, SignInSession } from '../signInTypes.ts'
import { isSessionOf } from './accountEquality.ts'
import type { LocalSignInOptions } from './localSignInOptions.ts'
import { messageParamsFor, pageOrigin, randomNonce } from './messageParams.ts'
import { pageStorage } from './pageStorage.ts'

/** The maximum number of messages that can wait for a signature. */
const maxProposals = 64

/** Creates an authentication adapter that uses the page's own storage. */
export function createLocalAuthentication(options: LocalSignInOptions): AuthenticationAdapter {
  const { verifiers, expiresInMs = signInLifeMs, clock = systemClock } = options
  const origin = (): string => options.origin ?? pageOrigin()
  const stored = storedSessions({ storage: options.storage, key: `${storagePrefix(options.id)}siwx` })
  /** The unused nonces with their expiry times, oldest first. */
  const issued = new Map<string, number>()

  /**
   * Spends a nonce and returns whether it was valid: issued by this page, unspent and not expired. A nonce is spent before
   * verification, so that only one of two concurrent requests with the same nonce succeeds.
   */
  const spend = (nonce: string): boolean => {
    const until = issued.get(nonce) ?? 0
    issued.delete(nonce)
    return until > clock.now()
  }

  const proved = async ({ data, message, signature }: SignInSession, now: number): Promise<SignInVerdict> => {
    const account = accountId(data.chainId, data.accountAddress)
    const expected = { origin: origin(), nonce: data.nonce, account, now }
    return verifySignIn({ message, signature, expected, verifiers }).catch((cause: unknown) => {
      if (isLatchkeyError(cause)) throw cause
      throw failure('sign-in/no-node', { chain: data.chainId, message: toLatchkeyError(cause).message }, { cause })
    })
  }

  /**
   * Verifies a session and replaces its data with the data from the signed message. Rejects if the message or its signature is
   * not valid for this page.
   */
  const believed = async (session: SignInSession): Promise<SignInSession> => {
    if (!parseAccountId(accountId(session.data.chainId, session.data.accountAddress)))
      throw failure('sign-in/refused', { reason: 'account' }, { cause: session })
    const verdict = await proved(session, clock.now())
    if (verdict.ok) return { ...session, data: verdict.fields }
    throw verdict.reason === 'signature'
      ? failure('sign-in/invalid', undefined, { cause: session })
      : failure('sign-in/refused', { reason: verdict.reason }, { cause: session })
  }

  /** Verifies a stored session again, as of the time when it became valid. The caller checks the expiry. */
  const stillBelieved = async (session: SignInSession, account: AccountId): Promise<SignInSession | undefined> => {
    const fields = readMessage(session.message, namespaceOf(account))
    if (!fields || !isSessionOf(fields, account)) return undefined
    const began = Math.max(...[fields.issuedAt, fields.notBefore].flatMap((time) => (time ? Date.parse(time) : [])))
    const verdict = await proved({ ...session, data: fields }, began)
    return verdict.ok ? { ...session, data: verdict.fields } : undefined
  }

  const isOver = ({ data: { expirationTime } }: SignInSession): boolean =>
    !(Date.parse(expirationTime ?? '') > clock.now())

  return {
    async createMessage() {
      // If storage is unavailable, fail before the user is prompted to sign.
      stored.read()
      const nonce = randomNonce()
      const now = clock.now()
      for (const [old, until] of issued) if (until <= now || issued.size >= maxProposals) issued.delete(old)
      issued.set(nonce, now + signInNonceLifeMs)
      const { statement, resources } = options
      return messageParamsFor({ origin: origin(), nonce, now, expiresInMs, statement, resources })
    },

    async addSession(session) {
      if (!spend(session.data.nonce)) throw failure('sign-in/spent')
      const fresh = await believed(session)
      const account = accountId(fresh.data.chainId, fresh.data.accountAddress)
      // Replaces an earlier session for the same account, and drops expired sessions.
      stored.change((now) => [...now.filter((item) => !isSessionOf(item.data, account) && !isOver(item)), fresh])
    },

    async setSessions(sessions) {
      // A wallet that signs for several networks while connecting uses the same nonce for each of them.
      const unspent = new Set([...new Set(sessions.map(({ data }) => data.nonce))].filter(spend))
      if (!sessions.every(({ data }) => unspent.has(data.nonce))) throw failure('sign-in/spent')
      const fresh = await Promise.all(sessions.map(believed))
      stored.change(() => fresh)
    },

    async getSessions(account) {
      const found: SignInSession[] = []
      const gone: SignInSession[] = []
      for (const entry of stored.read().filter(({ data }) => isSessionOf(data, account))) {
        const session = isOver(entry) ? undefined : await stillBelieved(entry, account)
        if (!session) gone.push(entry)
        else if (isCurrent(session.data, clock.now())) found.push(session)
      }
      if (gone.length > 0)
        stored.change((now) => now.filter((session) => !gone.some((expired) => isSame(expired, session))))
      return found
    },

    async revokeSession(account) {
      stored.change((now) => now.filter(({ data }) => !isSessionOf(data, account)))
    },
  }
}

/**
 * Returns functions that read and change the stored sessions. They ignore unreadable entries, and throw if storage is unavailable
 * or full.
 */
function storedSessions({ storage, key }: { readonly storage: KeyValueStorage | undefined; readonly key: string }): {
  read(): readonly SignInSession[]
  change(next: (now: readonly SignInSession[]) => readonly SignInSession[]): void
} {
  const at = <Answer>(action: 'get' | 'set', task: (storage: KeyValueStorage) => Answer): Answer => {
    const found = pageStorage(storage)
    if (!found) throw failure('sign-in/no-storage')
    try {
      return task(found)
    } catch (cause) {
      throw new LatchkeyError('storage/failed', { action, record: 'sign-in sessions' }, { cause })
    }
  }
  const read = (): readonly SignInSession[] => parseSessions(at('get', (found) => found.getItem(key)))
  return {
    read,
    change(next) {
      const now = read()
      const changed = next(now)
      if (changed.length === 0) at('set', (found) => found.removeItem(key))
      else at('set', (found) => found.setItem(key, JSON.stringify(changed)))
    },
  }
}

function parseSessions(text: string | null): readonly SignInSession[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSession) : []
  } catch {
    return []
  }
}

function isSession(value: unknown): value is SignInSession {
  if (!isRecord(value) || !isText(value.message) || !isText(value.signature) || !isRecord(value.data)) return false
  const { chainId, accountAddress } = value.data
  return parseAccountId(`${String(chainId)}:${String(accountAddress)}`) !== undefined
}

function isSame(session: SignInSession, other: SignInSession): boolean {
  return session.message === other.message && session.signature === other.signature
}
