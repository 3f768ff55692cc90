import type { Method } from '../house.ts'
import { Refusal } from '../refusal.ts'

/** Prepares the smart account of the active network: there is none yet. */
export const initSmartAccount: Method<'INIT_SMART_ACCOUNT'> = async () => {
  throw new Refusal('There are no smart accounts on this network')
}
