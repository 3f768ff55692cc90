import type { KeysOriginConfig } from '@latchkey/protocol/http/keys'
import type { AccountSession } from '../accountSession.ts'
import type { GrantStore } from './grantStore.ts'

/** The dependencies of `revokeAllPermissions`. */
export interface RevokeAllPermissionsDependencies {
  readonly config: () => Promise<Pick<KeysOriginConfig, 'smartSessions'>>
  readonly grants: () => Promise<Pick<GrantStore, 'revokeAll'>>
  readonly session: Pick<AccountSession, 'me'>
}

/** Revokes all permissions granted by the user, who is signing out. Errors are ignored, so that signing out always succeeds. */
export async function revokeAllPermissions({
  config,
  grants,
  session,
}: RevokeAllPermissionsDependencies): Promise<void> {
  const end = async (): Promise<void> => {
    if (!(await config()).smartSessions) return
    const me = await session.me()
    if (me) await (await grants()).revokeAll(me.user.id)
  }
  await end().catch(() => undefined)
}
