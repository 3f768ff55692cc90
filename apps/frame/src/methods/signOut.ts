import type { Method } from '../house.ts'
import { endPermissions } from '../permissions/end.ts'

/** Ends the sign-in, closes the vault, and takes back what pages may do without asking. Asked again it is answered again. */
export const signOut: Method<'SIGN_OUT'> = async (house) => {
  const { approvals, session } = house
  approvals.abort()
  await endPermissions(house)
  await session.signOut()
  return undefined
}
