import { getMe, postSignOut, type VaultMe, type VaultUser } from '@latchkey/protocol/http/vault'
import type { ServerClock } from './serverClock.ts'
import { isVaultFailure, type VaultClient } from './vaultClient.ts'

/** Who is signed in to this origin. The cookie is the server's; the frame only asks. */
export interface AccountSession {
  /** Account and vault as the server has them now; `undefined` when nobody is signed in. */
  me(): Promise<VaultMe | undefined>
  /** The name under which a provider knows the person who signed in last. */
  userName(): string | undefined
  /** The result that the person came back from a provider with. */
  resultUri(): string | undefined
  signedIn(user: VaultUser, userName?: string | null, resultUri?: string): void
  signOut(): Promise<void>
}

/** The account session of this origin. `left` is called when another person (or nobody) is signed in than before. */
export function createAccountSession({
  vault,
  onSignedOut,
  clock,
}: {
  readonly vault: VaultClient
  readonly onSignedOut: () => void
  /** Told the server's time with each answer. */
  readonly clock?: Pick<ServerClock, 'heard'> | undefined
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
        const me = await vault(getMe)
        if (me.now !== undefined) clock?.heard(me.now)
        setUser(me.user.id)
        return me
      } catch (error) {
        if (!isVaultFailure(error, 'session/none')) throw error
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
      // What is open here is closed before anybody is asked.
      setUser(undefined)
      onSignedOut()
      name = undefined
      lastResultUri = undefined
      await vault(postSignOut)
    },
  }
}
