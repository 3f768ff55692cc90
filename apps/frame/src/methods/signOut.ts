import type { Method } from '../frameContext.ts'
import { endPermissions } from '../permissions/endPermissions.ts'

/** Ends the sign-in, closes the vault, and takes back what pages may do without asking. Asked again it is answered again. */
export const signOut: Method<'SIGN_OUT'> = async (context) => {
  const { approvals, session } = context
  approvals.abort()
  await endPermissions(context)
  await session.signOut()
  return undefined
}
