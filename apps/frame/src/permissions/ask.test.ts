import { maxUint256, parseAbi, toFunctionSelector, toHex } from 'viem'
import { expect, test } from 'vitest'
import { readGrantRequest } from './ask.ts'
import { dangerOf } from './dangerous.ts'

const now = 1_800_000_000
const day = 86_400
const account = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const shop = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const coins = { type: 'native-token-recurring-allowance', data: { allowance: '0x64', period: day } }
const good = {
  chainId: '0x1',
  address: account,
  expiry: now + day,
  signer: { type: 'wallet', data: {} },
  permissions: [coins],
}
const read = (request: object) => readGrantRequest([request], { chain: 'eip155:1', account, now })
const contract = (signature: string, more: object = {}) => {
  const abi = parseAbi([`function ${signature}`] as readonly string[])
  const functionName = signature.slice(0, signature.indexOf('('))
  return {
    ...good,
    permissions: [
      coins,
      { type: 'contract-call', data: { address: shop, abi, functions: [{ functionName, ...more }] } },
    ],
  }
}

test('every limit is read, addresses in one way of writing', () => {
  expect(
    read({
      ...good,
      permissions: [
        coins,
        { type: 'erc20-recurring-allowance', data: { token, allowance: 7, start: now + 5, period: 60 } },
      ],
      policies: [
        { type: 'recipients', data: { addresses: [shop] } },
        { type: 'call-limit', data: { count: 3 } },
      ],
    }),
  ).toEqual({
    chain: 'eip155:1',
    account: account.toLowerCase(),
    expiry: now + day,
    permissions: [
      { kind: 'coin', most: 100n, start: now, period: day },
      { kind: 'token', token: token.toLowerCase(), most: 7n, start: now + 5, period: 60 },
    ],
    recipients: [shop.toLowerCase()],
    callsMost: 3,
  })
})

test.each<readonly [what: string, request: object, sentence: RegExp]>([
  ['no end', { ...good, expiry: undefined }, /expiry: Required/],
  ['an end that is past', { ...good, expiry: now }, /in the future/],
  ['an end in years', { ...good, expiry: now + 400 * day }, /at most 90 days/],
  ['another network', { ...good, chainId: '0xa' }, /another network/],
  ['another account', { ...good, address: shop }, /not in the wallet/],
  ['nothing', { ...good, permissions: [] }, /permissions/],
  ['an unknown kind', { ...good, permissions: [coins, { type: 'everything', data: {} }] }, /permissions\.1/],
  ['an unknown rule', { ...good, policies: [{ type: 'gas-limit', data: {} }] }, /policies\.0/],
  ['a key of the page', { ...good, signer: { type: 'keys', data: { keys: [] } } }, /signer/],
  ['something more', { ...good, also: 1 }, /also|Invalid/],
  [
    'unlimited coins',
    { ...good, permissions: [{ ...coins, data: { allowance: toHex(maxUint256), period: day } }] },
    /unlimited/,
  ],
  [
    'coins each second, in sum without limit',
    { ...good, permissions: [{ ...coins, data: { allowance: toHex(2n ** 90n), period: 60 } }] },
    /unlimited/,
  ],
  ['a period of no time', { ...good, permissions: [{ ...coins, data: { allowance: '0x1', period: 0 } }] }, /period/],
  [
    'an amount below nothing',
    { ...good, permissions: [{ ...coins, data: { allowance: -1, period: day } }] },
    /allowance/,
  ],
  ['a start before now', { ...good, permissions: [{ ...coins, data: { ...coins.data, start: now - day } }] }, /start/],
  [
    'tokens, but nothing for fees',
    { ...good, permissions: [{ type: 'erc20-recurring-allowance', data: { token, allowance: '0x1', period: day } }] },
    /network fees/,
  ],
  ['coins twice', { ...good, permissions: [coins, coins] }, /twice/],
  ['approve', contract('approve(address spender, uint256 amount)'), /no limit/],
  ['transfer', contract('transfer(address to, uint256 amount)'), /no limit/],
  ['setApprovalForAll', contract('setApprovalForAll(address operator, bool approved)'), /no limit/],
  ['permit', contract('permit(address a, address b, uint256 c, uint256 d, uint8 e, bytes32 f, bytes32 g)'), /no limit/],
  // Its first four bytes are those of approve(address,uint256).
  ['approve by another name', contract('sign_szabo_bytecode(bytes16 a, uint128 b)'), /no limit/],
  ['multicall', contract('multicall(bytes[] calls)'), /no limit/],
  ['a function that carries bytes', contract('doIt(uint256 a, bytes data)'), /calls that nobody sees/],
  ['bytes within a tuple', contract('doIt((address to, bytes data)[] calls)'), /calls that nobody sees/],
  ['a delegate call', contract('buy(uint256 item)', { operation: 'DelegateCall' }), /DelegateCall/],
  [
    'a rule that fits no type',
    contract('buy(address to)', { args: [{ operator: 'EQUAL', value: 'x' }] }),
    /Expected address/,
  ],
  [
    'more or less than an address',
    contract('buy(address to)', { args: [{ operator: 'LESS_THAN', value: shop }] }),
    /numbers/,
  ],
  ['rules for arguments that it has not', contract('buy()', { args: [{ operator: 'EQUAL', value: 1 }] }), /more than/],
  [
    'the account as a contract',
    {
      ...good,
      permissions: [
        coins,
        {
          type: 'contract-call',
          data: { address: account, abi: parseAbi(['function buy()']), functions: [{ functionName: 'buy' }] },
        },
      ],
    },
    /call itself/,
  ],
  [
    'a name that two functions have',
    {
      ...good,
      permissions: [
        coins,
        {
          type: 'contract-call',
          data: {
            address: shop,
            abi: parseAbi(['function buy(uint256 a)', 'function buy(uint256 a, uint256 b)']),
            functions: [{ functionName: 'buy' }],
          },
        },
      ],
    },
    /exactly one function/,
  ],
])('%s is refused', (_what, request, sentence) => {
  expect(() => read(request)).toThrow(sentence)
})

test('two requests in one are refused: only one was shown', () => {
  expect(() => readGrantRequest([good, good], { chain: 'eip155:1', account, now })).toThrow()
})

// A name whose first four bytes come out as somebody wants is found within minutes.
test.each([
  'increaseApproval(address,uint256)',
  'authorizeOperator(address)',
  'approve(address,uint256,uint256)',
  'setOperator(address,bool)',
  'approveDelegation(address,uint256)',
  'transferFrom(address,address,uint160,address)',
  'transferOwnership(address)',
  'grantRole(bytes32,address)',
  'burn(uint256)',
  'enableModule(address)',
  'addOwnerWithThreshold(address,uint256)',
])('%s is refused under any other name', (signature) => {
  expect(dangerOf({ name: 'claim_8f3a21', selector: toFunctionSelector(signature), inputs: [] })).toBe('unlimited')
})
