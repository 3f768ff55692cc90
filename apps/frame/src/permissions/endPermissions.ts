import type { VaultConfig } from '@latchkey/protocol/http/vault'
import type { AccountSession } from '../accountSession.ts'
import type { GrantStore } from './grantStore.ts'

/** What ending permissions needs. */
export interface EndPermissionsDependencies {
  readonly config: () => Promise<Pick<VaultConfig, 'smartSessions'>>
  readonly grants: () => Promise<Pick<GrantStore, 'revokeAll'>>
  readonly session: Pick<AccountSession, 'me'>
}

/** Whoever leaves ends what pages may do without asking. A device that cannot write that down lets them leave all the same. */
export async function endPermissions({ config, grants, session }: EndPermissionsDependencies): Promise<void> {
  const end = async (): Promise<void> => {
    if (!(await config()).smartSessions) return
    const me = await session.me()
    if (me) await (await grants()).revokeAll(me.user.id)
  }
  await end().catch(() => undefined)
}
