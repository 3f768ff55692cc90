import { hasBundler } from '../accounts.ts'
import type { Method } from '../house.ts'
import { Refusal } from '../refusal.ts'
import { namespaceOf } from '../settings.ts'
import { getUser } from './getUser.ts'

/** Which kind of account to use on the active network; answers with the kind that is really used. */
export const setPreferredAccount: Method<'SET_PREFERRED_ACCOUNT'> = async (house, { type }, asker) => {
  const chain = house.settings.lastChain()
  if (type === 'smartAccount' && !(await hasBundler(house, chain)))
    throw new Refusal('There are no smart accounts on this network')
  house.settings.prefer(namespaceOf(chain), type)
  const { address } = await getUser(house, undefined, asker)
  return { type, address }
}
