import type { Method } from '../frameContext.ts'

/** Returns the networks that support smart accounts. These are the networks for which a bundler is configured. */
export const getSmartAccountEnabledNetworks: Method<'GET_SMART_ACCOUNT_ENABLED_NETWORKS'> = async ({ config }) => {
  const { bundlers } = await config()
  const numbers = bundlers.flatMap((chain) =>
    chain.startsWith('eip155:') ? [Number(chain.slice('eip155:'.length))] : [],
  )
  return { smartAccountEnabledNetworks: numbers }
}
