import type { Method } from '../frameContext.ts'
import { namespaceOf } from '../pageSettings.ts'
import { getUser } from './getUser.ts'

/**
 * Sets the preferred account type for all networks that support it. Returns the type in use on the active network. A page can
 * call this method before it selects a network. Before the user logs in, the call stores the type but is rejected.
 */
export const setPreferredAccount: Method<'SET_PREFERRED_ACCOUNT'> = async (context, { type }, caller) => {
  // A user has accounts in several namespaces after login, but only `eip155` supports smart accounts.
  context.settings.setAccountType(type === 'smartAccount' ? 'eip155' : namespaceOf(context.settings.lastChain()), type)
  const { address, preferredAccountType } = await getUser(context, undefined, caller)
  return { type: preferredAccountType ?? 'eoa', address }
}
