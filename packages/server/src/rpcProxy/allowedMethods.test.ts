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
])('pages cannot call a Bitcoin node’s wallet and peer methods: %s', (method) => {
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
])('methods that read the Bitcoin chain are allowed: %s', (method) => {
  expect(bitcoin(method)).toBe(true)
})

test.each([
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendUserOperation',
  'eth_sendBundle',
  'eth_call',
])('methods that read the chain or send signed data are allowed: %s', (method) => {
  expect(isMethodAllowed({ namespace: 'eip155', method, extra: [] })).toBe(true)
})
