import type { Method } from '../house.ts'
import { namespaceOf } from '../settings.ts'
import { getUser } from './getUser.ts'

/**
 * Which kind of account to use, on every network that has it; answers with the kind that is used on the active one. A page may say so
 * before it names a network, and before anybody is signed in.
 */
export const setPreferredAccount: Method<'SET_PREFERRED_ACCOUNT'> = async (house, { type }, asker) => {
  // One login serves several families, and only this one has contracts.
  house.settings.prefer(type === 'smartAccount' ? 'eip155' : namespaceOf(house.settings.lastChain()), type)
  const { address, preferredAccountType } = await getUser(house, undefined, asker)
  return { type: preferredAccountType ?? 'eoa', address }
}
