import { getMe, postSignOut, type VaultMe, type VaultUser } from '@latchkey/protocol/http/vault'
import type { ServerClock } from './serverClock.ts'
import { isVaultFailure, type VaultClient } from './vaultClient.ts'

/** Who is signed in to this origin. The cookie is the server's; the frame only asks. */
export interface Session {
  /** Account and vault as the server has them now; `undefined` when nobody is signed in. */
  me(): Promise<VaultMe | undefined>
  /** The name under which a provider knows the person who signed in last. */
  userName(): string | undefined
  /** The result that the person came back from a provider with. */
  cameBy(): string | undefined
  signedIn(user: VaultUser, userName?: string | null, cameBy?: string): void
  signOut(): Promise<void>
}

/** The account session of this origin. `left` is called when another person (or nobody) is signed in than before. */
export function createSession({
  vault,
  left,
  clock,
}: {
  readonly vault: VaultClient
  readonly left: () => void
  /** Told the server's time with each answer. */
  readonly clock?: Pick<ServerClock, 'heard'> | undefined
}): Session {
  let known: string | undefined
  let name: string | undefined
  let way: string | undefined

  const isNow = (userId: string | undefined): void => {
    if (known !== undefined && known !== userId) left()
    known = userId
  }

  return {
    async me() {
      try {
        const me = await vault(getMe)
        if (me.now !== undefined) clock?.heard(me.now)
        isNow(me.user.id)
        return me
      } catch (error) {
        if (!isVaultFailure(error, 'session/none')) throw error
        isNow(undefined)
        return undefined
      }
    },
    userName: () => name,
    cameBy: () => way,
    signedIn(user, userName, cameBy) {
      isNow(user.id)
      way = cameBy
      name = userName ?? user.userName ?? undefined
    },
    async signOut() {
      // What is open here is closed before anybody is asked.
      isNow(undefined)
      left()
      name = undefined
      way = undefined
      await vault(postSignOut)
    },
  }
}
