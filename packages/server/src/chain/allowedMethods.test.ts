import { expect, test } from 'vitest'
import { isMethodAllowed } from './allowedMethods.ts'

const bitcoin = (method: string) => isMethodAllowed({ namespace: 'bip122', method, extra: [] })

test.each([
  'getrawchangeaddress',
  'getrawtransactionwithwallet',
  'getnewaddress',
  'getbalance',
  'dumpprivkey',
  'getblockfrompeer',
])('the wallet of a Bitcoin node is not for pages: %s', (method) => {
  expect(bitcoin(method)).toBe(false)
})

test.each([
  'getrawtransaction',
  'getrawmempool',
  'getblock',
  'getblockhash',
  'getblockcount',
  'getblockchaininfo',
  'gettxout',
  'sendrawtransaction',
  'estimatesmartfee',
])('reading Bitcoin is: %s', (method) => {
  expect(bitcoin(method)).toBe(true)
})

test.each([
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendUserOperation',
  'eth_sendBundle',
  'eth_call',
])('what was signed elsewhere is sent: %s', (method) => {
  expect(isMethodAllowed({ namespace: 'eip155', method, extra: [] })).toBe(true)
})
