import { getMe, type KeysMe, type KeysUser, postSignOut } from '@latchkey/protocol/http/keys'
import { isKeysFailure, type KeysApiClient } from './keysApiClient.ts'
import type { ServerClock } from './serverClock.ts'

/** The sign-in state on this origin. The server manages the session cookie, and the frame only queries the session. */
export interface AccountSession {
  /** Resolves to the account and vault from the server, or to `undefined` if the user is not signed in. */
  me(): Promise<KeysMe | undefined>
  /** The name of the last user to sign in, as reported by the login provider. */
  userName(): string | undefined
  /** The result URI of the last social login. */
  resultUri(): string | undefined
  signedIn(user: KeysUser, userName?: string | null, resultUri?: string): void
  signOut(): Promise<void>
}

/**
 * Creates the account session of this origin. `onSignedOut` is called when the user signs out, when the session turns out to
 * have ended, and when a different account signs in.
 */
export function createAccountSession({
  keysClient,
  onSignedOut,
  clock,
}: {
  readonly keysClient: KeysApiClient
  readonly onSignedOut: () => void
  /** Receives the server's time, which the server reports together with the account. */
  readonly clock?: Pick<ServerClock, 'set'> | undefined
}): AccountSession {
  let knownUserId: string | undefined
  let name: string | undefined
  let lastResultUri: string | undefined

  const setUser = (userId: string | undefined): void => {
    if (knownUserId !== undefined && knownUserId !== userId) onSignedOut()
    knownUserId = userId
  }

  return {
    async me() {
      try {
        const me = await keysClient(getMe)
        if (me.now !== undefined) clock?.set(me.now)
        setUser(me.user.id)
        return me
      } catch (error) {
        if (!isKeysFailure(error, 'session/none')) throw error
        setUser(undefined)
        return undefined
      }
    },
    userName: () => name,
    resultUri: () => lastResultUri,
    signedIn(user, userName, resultUri) {
      setUser(user.id)
      lastResultUri = resultUri
      name = userName ?? user.userName ?? undefined
    },
    async signOut() {
      // Lock the wallet before calling the server.
      setUser(undefined)
      onSignedOut()
      name = undefined
      lastResultUri = undefined
      await keysClient(postSignOut)
    },
  }
}
