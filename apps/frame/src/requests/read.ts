import { accountsOn, hasBundler } from '../accounts.ts'
import type { House } from '../house.ts'
import { Refusal } from '../refusal.ts'
import { namespaceOf } from '../settings.ts'
import type { RpcAsked } from './asked.ts'

/** Answers a request that only reads: what the wallet itself knows, and everything else from the network's node. */
export async function read(house: House, asked: RpcAsked): Promise<unknown> {
  const { chain, method, params } = asked
  switch (method) {
    case 'eth_accounts': {
      const open = (await house.wallet()).opened()
      if (!open) return []
      return (await accountsOn(house, open, chain)).map(({ address }) => address)
    }
    case 'eth_chainId':
      return hexChain(namespaceOf(chain) === 'eip155' ? chain : house.settings.chain('eip155'))
    case 'wallet_getCapabilities':
      return (await import('./capabilities.ts')).capabilities(house, asked)
    case 'wallet_getCallsStatus':
      return (await import('./sendCalls.ts')).callsStatus(house, { id: undefined, origin: '', chain, method, params })
    case 'wallet_getAssets':
      return (await import('./assets.ts')).assets(house, asked)
    case 'wallet_getGrantedExecutionPermissions':
      return (await import('../permissions/requests.ts')).grantedPermissions(house, asked)
    case 'wallet_getSupportedExecutionPermissions':
      return (await import('../permissions/requests.ts')).supportedPermissions(house)
    case 'eth_getUserOperationReceipt':
    case 'eth_estimateUserOperationGas':
    case 'eth_getUserOperationByHash':
    case 'eth_supportedEntryPoints': {
      if (!(await hasBundler(house, chain))) throw new Refusal(`${method} is not supported on this network`)
      const { bundlerOf } = await import('../smart/send.ts')
      return bundlerOf({ chain, origin: asked.origin }).ask(method, params ?? [])
    }
    default:
      return house.rpc(namespaceOf(chain) === 'solana' ? house.settings.chain('eip155') : chain, method, params)
  }
}

function hexChain(chain: string): string {
  return `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
}
