import type { EndpointErrors } from '../endpoint.ts'
import type { KeysFailureCode } from './errors.ts'

/** `POST /vault/rpc?chainId=eip155:1`: JSON-RPC for the data that the frame displays and signs. The page's node is never used. */
export const keysRpcPath = '/vault/rpc'

/**
 * `POST /vault/bundler?chainId=eip155:1`: forwards JSON-RPC requests to the network's bundler (ERC-4337). Methods that can cost
 * the operator money, such as sending or estimating an operation, require a signed-in user.
 */
export const keysBundlerPath = '/vault/bundler'

/** The allowed bundler methods. Some bundlers return their fees through the last method. */
export const bundlerMethods = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
] as const

/**
 * `POST /vault/paymaster?chainId=eip155:1&page=<origin>`: forwards JSON-RPC requests to the operator's paymaster (ERC-7677),
 * subject to the operator's policy. Requires a signed-in user. With `&url=`, the requests are forwarded to the paymaster that
 * the page specified, if the operator allows that paymaster.
 */
export const keysPaymasterPath = '/vault/paymaster'

/** The allowed paymaster methods. */
export const paymasterMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const smartAccountErrors: EndpointErrors<KeysFailureCode> = [
  [{ method: 'POST', path: keysBundlerPath }, 'session/none'],
  [{ method: 'POST', path: keysPaymasterPath }, 'session/none'],
]
