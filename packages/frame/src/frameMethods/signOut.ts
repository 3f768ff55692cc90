import type { Method } from '../frameContext.ts'
import { revokeAllPermissions } from '../permissions/revokeAllPermissions.ts'

/** Signs the user out, locks the vault and revokes the permissions granted to pages. Can be called repeatedly. */
export const signOut: Method<'SIGN_OUT'> = async (context) => {
  const { approvals, session } = context
  approvals.abort()
  await revokeAllPermissions(context)
  await session.signOut()
  return undefined
}
