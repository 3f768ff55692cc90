import type { Method } from '../frameContext.ts'

/** The networks on which the account may be a contract: those with a bundler. */
export const getSmartAccountEnabledNetworks: Method<'GET_SMART_ACCOUNT_ENABLED_NETWORKS'> = async ({ config }) => {
  const { bundlers } = await config()
  const numbers = bundlers.flatMap((chain) =>
    chain.startsWith('eip155:') ? [Number(chain.slice('eip155:'.length))] : [],
  )
  return { smartAccountEnabledNetworks: numbers }
}
