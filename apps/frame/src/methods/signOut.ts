import type { House, Method } from '../house.ts'

/** Ends the sign-in and closes the vault. Asked again it is answered again. */
export const signOut: Method<'SIGN_OUT'> = async (house) => {
  const { approvals, session } = house
  approvals.abort()
  // What pages may do without asking ends here, too. A device that cannot write that down still signs out.
  await endPermissions(house).catch(() => undefined)
  await session.signOut()
  return undefined
}

async function endPermissions({ config, grants, session }: House): Promise<void> {
  if (!(await config()).smartSessions) return
  const me = await session.me()
  if (me) await (await grants()).revokeAll(me.user.id)
}
