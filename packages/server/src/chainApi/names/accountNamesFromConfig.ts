import { eip155Verifier } from '@latchkey/siwx/verify/eip155'
import type { NamesConfig } from '../../config/accountNamesConfig.ts'
import { callThroughChain } from '../../rpcProxy/contractCallOverRpc.ts'
import type { RpcProxy } from '../../serverDependencies.ts'
import { databaseAccountNames } from '../../storage/databaseAccountNames.ts'
import type { Connection } from '../../storage/databaseConnection.ts'
import type { AccountNames } from '../chainApiTypes.ts'
import { lazyService } from '../lazyService.ts'
import { createAccountNames } from './accountNames.ts'

/** Creates the server's account names from the configuration, the database connection and the RPC proxy. */
export function accountNamesFromConfig({
  config,
  connection,
  chain,
  now,
}: {
  config: NamesConfig
  connection: Connection
  /** The nodes with which the signatures of contracts are verified. */
  chain: RpcProxy
  /** Epoch milliseconds. */
  now: () => number
}): AccountNames {
  const names = createAccountNames({
    config,
    store: databaseAccountNames(connection),
    verify: eip155Verifier({
      call: callThroughChain(chain),
      // Loaded on first use, because it needs viem.
      undeployed: async (params) => (await import('@latchkey/siwx/verify/erc6492')).verifyErc6492(params),
    }),
    chains: chain.supported,
    now,
  })
  const { resolverKey: privateKey, zone } = config
  if (privateKey === undefined) return names
  return {
    ...names,
    // Loaded on first use, because it needs viem.
    ...lazyService(async () => {
      const { createOffchainResolver } = await import('./offchainResolver.ts')
      return { resolve: createOffchainResolver({ privateKey, zone, find: names.find, now }) }
    }, ['resolve']),
  }
}
