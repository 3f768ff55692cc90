import type { Method } from '../house.ts'

/** Ends the sign-in and closes the vault. Asked again it is answered again. */
export const signOut: Method<'SIGN_OUT'> = async ({ session, approvals }) => {
  approvals.abort()
  await session.signOut()
  return undefined
}
