import type { Method } from '../frameContext.ts'
import { namespaceOf } from '../pageSettings.ts'
import { getUser } from './getUser.ts'

/**
 * Which kind of account to use, on every network that has it; answers with the kind that is used on the active one. A page may say so
 * before it names a network, and before anybody is signed in.
 */
export const setPreferredAccount: Method<'SET_PREFERRED_ACCOUNT'> = async (context, { type }, caller) => {
  // One login serves several families, and only this one has contracts.
  context.settings.setAccountType(type === 'smartAccount' ? 'eip155' : namespaceOf(context.settings.lastChain()), type)
  const { address, preferredAccountType } = await getUser(context, undefined, caller)
  return { type: preferredAccountType ?? 'eoa', address }
}
