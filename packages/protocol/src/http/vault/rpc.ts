/** `POST /vault/rpc?chainId=eip155:1`: JSON-RPC for the data that the frame displays and signs. It never uses the page's node. */
export const vaultRpcPath = '/vault/rpc'

/** `POST /vault/bundler?chainId=eip155:1`: JSON-RPC of the network's bundler (ERC-4337). Methods with a cost require a signed-in user. */
export const vaultBundlerPath = '/vault/bundler'

/** The allowed bundler methods. The last one is the source of fees for some bundlers. */
export const bundlerMethods = [
  'eth_sendUserOperation',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'pimlico_getUserOperationGasPrice',
] as const

/**
 * `POST /vault/paymaster?chainId=eip155:1&page=<origin>`: JSON-RPC of the operator's paymaster (ERC-7677), for signed-in users and subject to its
 * policy. With `&url=`, uses the paymaster that the page named, if the operator allows it.
 */
export const vaultPaymasterPath = '/vault/paymaster'

/** The allowed paymaster methods. */
export const paymasterMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const
