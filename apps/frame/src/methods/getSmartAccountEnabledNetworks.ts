import type { Method } from '../house.ts'

/** The networks on which the account may be a contract: none yet. */
export const getSmartAccountEnabledNetworks: Method<'GET_SMART_ACCOUNT_ENABLED_NETWORKS'> = async () => ({
  smartAccountEnabledNetworks: [],
})
