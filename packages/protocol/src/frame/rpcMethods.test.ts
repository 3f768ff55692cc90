import { expect, test } from 'vitest'
import { methodClass, safeMethods, unsafeMethods } from './rpcMethods.ts'

test.each([
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
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'wallet_getAssets',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_estimateUserOperationGas',
  'eth_supportedEntryPoints',
  'wallet_getGrantedExecutionPermissions',
  'wallet_getSupportedExecutionPermissions',
])('%s does not need approval [R6.3]', (method) => {
  expect(methodClass(method)).toBe('safe')
})

test.each([
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
])('%s needs approval [R6.4]', (method) => {
  expect(methodClass(method)).toBe('unsafe')
})

test.each([
  'eth_sign',
  'eth_signTypedData',
  'eth_requestAccounts',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_watchAsset',
  'PERSONAL_SIGN',
  ' eth_call',
  'constructor',
  '',
])('"%s" is refused [R6.3] [R6.4]', (method) => {
  expect(methodClass(method)).toBe('refused')
})

test('no method belongs to two classes [R6.3] [R6.4]', () => {
  expect(safeMethods).toHaveLength(41)
  expect(unsafeMethods).toHaveLength(11)
  expect(new Set([...safeMethods, ...unsafeMethods]).size).toBe(52)
})
