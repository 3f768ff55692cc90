import type { Method } from '../frameContext.ts'
import { endPermissions } from '../permissions/endPermissions.ts'

/** Signs the user out, locks the vault and revokes the permissions granted to pages. Can be called repeatedly. */
export const signOut: Method<'SIGN_OUT'> = async (context) => {
  const { approvals, session } = context
  approvals.abort()
  await endPermissions(context)
  await session.signOut()
  return undefined
}
