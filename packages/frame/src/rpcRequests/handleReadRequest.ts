import type { FrameContext } from '../frameContext.ts'
import { namespaceOf } from '../pageSettings.ts'
import { PublicError } from '../publicError.ts'
import { getWalletAccounts, hasBundler } from '../wallet/walletAccounts.ts'
import type { WalletRpcRequest } from './walletRpcRequest.ts'

/**
 * Handles a read-only request. Uses local data if the wallet has it, and otherwise forwards the request to the network's node.
 */
export async function handleReadRequest(context: FrameContext, request: WalletRpcRequest): Promise<unknown> {
  const { chain, method, params } = request
  switch (method) {
    case 'eth_accounts': {
      const wallet = (await context.wallet()).opened()
      if (!wallet) return []
      return (await getWalletAccounts(context, wallet, chain)).map(({ address }) => address)
    }
    case 'eth_chainId':
      return hexChain(namespaceOf(chain) === 'eip155' ? chain : context.settings.chain('eip155'))
    case 'wallet_getCapabilities':
      return (await import('./getCapabilities.ts')).getCapabilities(context, request)
    case 'wallet_getCallsStatus':
      return (await import('./sendCalls.ts')).callsStatus(context, { id: undefined, origin: '', chain, method, params })
    case 'wallet_getAssets':
      return (await import('./getAssets.ts')).getAssets(context, request)
    case 'wallet_getGrantedExecutionPermissions':
      return (await import('../permissions/permissionMethods.ts')).getGrantedPermissions(context, request)
    case 'wallet_getSupportedExecutionPermissions':
      return (await import('../permissions/permissionMethods.ts')).getSupportedPermissions(context)
    case 'eth_getUserOperationReceipt':
    case 'eth_estimateUserOperationGas':
    case 'eth_getUserOperationByHash':
    case 'eth_supportedEntryPoints': {
      if (!(await hasBundler(context, chain))) throw new PublicError(`${method} is not supported on this network`)
      const { createPageBundler } = await import('../smartAccount/userOperationSender.ts')
      return createPageBundler({ chain, origin: request.origin }).ask(method, params ?? [])
    }
    default:
      return context.rpc(namespaceOf(chain) === 'solana' ? context.settings.chain('eip155') : chain, method, params)
  }
}

function hexChain(chain: string): string {
  return `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
}
