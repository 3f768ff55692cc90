import type { LoginRecords } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import type { SocialUser } from '@latchkey/protocol/frame/messages'

/** Stores the logged-in user's data and chain. */
export function rememberLogin(records: LoginRecords, user: SocialUser, chain: ChainId): void {
  records.emailUsed.set('true')
  if (user.email) records.email.set(user.email)
  if (user.userName) records.socialUsername.set(user.userName)
  records.lastChain.set(chain.startsWith('eip155:') ? chain.slice('eip155:'.length) : chain)
  records.lastEmailLoginTime.clear()
}

/** Removes the logged-in user's stored data. */
export function forgetLogin(records: LoginRecords): void {
  const { emailUsed, email, lastChain, socialUsername, connectedSocial } = records
  for (const record of [emailUsed, email, lastChain, socialUsername, connectedSocial]) record.clear()
}
