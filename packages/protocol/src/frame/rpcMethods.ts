/** The RPC methods that do not need the user's approval. */
export const safeMethods = [
  'eth_accounts',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getAccount',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  // The transaction is already signed, so anyone who has the transaction can broadcast it.
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'eth_getUserOperationReceipt',
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_supportedEntryPoints',
  'wallet_getAssets',
] as const

/** The RPC methods that need the user's approval. */
export const unsafeMethods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
  'wallet_sendCalls',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'eth_sendUserOperation',
] as const

/** The read-only methods defined by ERC-7715. They return the granted and the supported permissions. */
export const permissionReads = [
  'wallet_getGrantedExecutionPermissions',
  'wallet_getSupportedExecutionPermissions',
] as const

/** An RPC method that does not need the user's approval. */
export type SafeMethod = (typeof safeMethods | typeof permissionReads)[number]

/** An RPC method that needs the user's approval. */
export type UnsafeMethod = (typeof unsafeMethods)[number]

/** How a frame handles an RPC request: `safe` is answered directly, `unsafe` needs approval, and `refused` is rejected. */
export type MethodClass = 'safe' | 'unsafe' | 'refused'

/** Returns how requests for `method` are handled. Unlisted methods are refused. */
export function methodClass(method: string): MethodClass {
  if ([...safeMethods, ...permissionReads].includes(method as SafeMethod)) return 'safe'
  return (unsafeMethods as readonly string[]).includes(method) ? 'unsafe' : 'refused'
}
