import type { Method } from '../frameContext.ts'
import { endPermissions } from '../permissions/endPermissions.ts'

/** Signs out, locks the vault and revokes the permissions that pages have. Can be called repeatedly. */
export const signOut: Method<'SIGN_OUT'> = async (context) => {
  const { approvals, session } = context
  approvals.abort()
  await endPermissions(context)
  await session.signOut()
  return undefined
}
