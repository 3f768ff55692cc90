import { expect, test } from 'vitest'
import { methodClass, safeMethods, unsafeMethods } from './rpcMethods.ts'

test.each([
  'eth_accounts',
  'eth_call',
  'eth_getLogs',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'wallet_getAssets',
  'eth_getUserOperationReceipt',
  'eth_getUserOperationByHash',
  'eth_estimateUserOperationGas',
  'eth_supportedEntryPoints',
  'wallet_getGrantedExecutionPermissions',
])('%s needs no approval [R6.3]', (method) => {
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
])('%s needs an approval [R6.4]', (method) => {
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

test('no method is in two classes [R6.3] [R6.4]', () => {
  expect(safeMethods).toHaveLength(41)
  expect(unsafeMethods).toHaveLength(11)
  expect(new Set([...safeMethods, ...unsafeMethods]).size).toBe(52)
})
