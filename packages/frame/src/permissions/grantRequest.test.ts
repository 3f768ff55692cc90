import { maxUint256, parseAbi, toFunctionSelector, toHex } from 'viem'
import { expect, test } from 'vitest'
import { parseGrantRequest } from './grantRequest.ts'
import { isReserved } from './reservedSelectors.ts'

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
const read = (request: object) => parseGrantRequest([request], { chain: 'eip155:1', account, now })
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

test('parses every limit and normalizes addresses', () => {
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

test('accepts addresses without 0x [R5.5]', () => {
  const bare = (address: string) => address.slice(2)
  const token20 = (written: string) => ({
    type: 'erc20-recurring-allowance',
    data: { token: written, allowance: 7, start: now + 5, period: 60 },
  })
  const request = (written: (address: string) => string) => ({
    ...good,
    permissions: [coins, token20(written(token))],
    policies: [{ type: 'recipients', data: { addresses: [written(shop)] } }],
  })
  expect(read(request(bare))).toEqual(read(request((address) => address)))
  for (const wrong of ['', '0x', `${token}0`, token.slice(0, -1), `1x${bare(token)}`])
    expect(() => read({ ...good, permissions: [coins, token20(wrong)] })).toThrow(/permissions/)
})

test.each<readonly [what: string, request: object, sentence: RegExp]>([
  ['a missing expiration time', { ...good, expiry: undefined }, /expiry: Required/],
  ['an expiry in the past', { ...good, expiry: now }, /in the future/],
  ['an expiry more than 90 days in the future', { ...good, expiry: now + 400 * day }, /at most 90 days/],
  ['a request for a different network', { ...good, chainId: '0xa' }, /different network/],
  ['a request for a different account', { ...good, address: shop }, /not in the wallet/],
  ['a request without permissions', { ...good, permissions: [] }, /permissions/],
  ['an unknown permission type', { ...good, permissions: [coins, { type: 'everything', data: {} }] }, /permissions\.1/],
  ['an unknown policy', { ...good, policies: [{ type: 'gas-limit', data: {} }] }, /policies\.0/],
  ['a signer that uses the page’s key', { ...good, signer: { type: 'keys', data: { keys: [] } } }, /signer/],
  ['an unknown field', { ...good, also: 1 }, /also|Invalid/],
  [
    'an unlimited native allowance',
    { ...good, permissions: [{ ...coins, data: { allowance: toHex(maxUint256), period: day } }] },
    /unlimited/,
  ],
  [
    'a short period that makes the total unlimited',
    { ...good, permissions: [{ ...coins, data: { allowance: toHex(2n ** 90n), period: 60 } }] },
    /unlimited/,
  ],
  [
    'an allowance of a billion coins',
    { ...good, permissions: [{ ...coins, data: { allowance: toHex(10n ** 27n), period: day } }] },
    /more than a million coins/,
  ],
  [
    'a short period that makes the total unrealistic',
    { ...good, permissions: [{ ...coins, data: { allowance: toHex(10n ** 21n), period: 60 } }] },
    /more than a million coins/,
  ],
  ['a period of zero', { ...good, permissions: [{ ...coins, data: { allowance: '0x1', period: 0 } }] }, /period/],
  ['a negative amount', { ...good, permissions: [{ ...coins, data: { allowance: -1, period: day } }] }, /allowance/],
  ['a start in the past', { ...good, permissions: [{ ...coins, data: { ...coins.data, start: now - day } }] }, /start/],
  [
    'a token permission without a native allowance for fees',
    { ...good, permissions: [{ type: 'erc20-recurring-allowance', data: { token, allowance: '0x1', period: day } }] },
    /network fees/,
  ],
  ['two native allowances', { ...good, permissions: [coins, coins] }, /duplicate permission/],
  ['the function approve', contract('approve(address spender, uint256 amount)'), /moves assets or grants rights/],
  ['the function transfer', contract('transfer(address to, uint256 amount)'), /moves assets or grants rights/],
  ['the function setApprovalForAll', contract('setApprovalForAll(address operator, bool approved)'), /moves assets/],
  [
    'the function permit',
    contract('permit(address a, address b, uint256 c, uint256 d, uint8 e, bytes32 f, bytes32 g)'),
    /type bytes32/,
  ],
  // The selector of this function is the same as that of approve(address,uint256).
  ['a function with the selector of approve', contract('sign_szabo_bytecode(bytes16 a, uint128 b)'), /type bytes16/],
  ['the function multicall', contract('multicall(bytes[] calls)'), /type bytes\[\]/],
  ['a function with a bytes argument', contract('doIt(uint256 a, bytes data)'), /type bytes/],
  ['bytes in a tuple', contract('doIt((address to, bytes data)[] calls)'), /type tuple\[\]/],
  ['a string argument', contract('doIt(string a)', { args: [{ operator: 'EQUAL', value: 'x' }] }), /type string/],
  ['an array argument', contract('doIt(uint256[2] a)'), /type uint256\[2\]/],
  [
    'a signed integer argument',
    contract('doIt(int256 a)', { args: [{ operator: 'LESS_THAN', value: 1 }] }),
    /type int256/,
  ],
  ['an argument without a rule', contract('buy(uint256 item)'), /every argument requires a rule/],
  [
    'one fewer rule than there are arguments',
    contract('buy(uint256 item, address to)', { args: [{ operator: 'EQUAL', value: 1 }] }),
    /args\.1: every argument requires a rule/,
  ],
  [
    'a rule that is null',
    contract('buy(uint256 item, address to)', { args: [null, { operator: 'EQUAL', value: shop }] }),
    /args\.0: every argument requires a rule/,
  ],
  [
    'a number without an upper limit',
    contract('buy(uint256 item)', { args: [{ operator: 'GREATER_THAN', value: 1 }] }),
    /no upper limit/,
  ],
  [
    'a limit equal to the maximum integer',
    contract('buy(uint256 item)', { args: [{ operator: 'LESS_THAN', value: toHex(maxUint256) }] }),
    /could be an address/,
  ],
  [
    'an address declared as a number',
    contract('buy(uint256 item)', { args: [{ operator: 'EQUAL', value: BigInt(shop).toString() }] }),
    /could be an address/,
  ],
  [
    'a limit higher than an address with eight zero bytes',
    contract('buy(uint256 item)', { args: [{ operator: 'LESS_THAN', value: (2n ** 96n).toString() }] }),
    /could be an address/,
  ],
  [
    'an address other than the account',
    contract('stake(uint256 item, address to)', {
      args: [
        { operator: 'EQUAL', value: 1 },
        { operator: 'EQUAL', value: shop },
      ],
    }),
    /an address must be the account itself/,
  ],
  [
    'an address that is not in the recipients policy',
    {
      ...contract('stake(address to)', { args: [{ operator: 'EQUAL', value: shop }] }),
      policies: [{ type: 'recipients', data: { addresses: [token] } }],
    },
    /an address must be the account itself/,
  ],
  [
    'an address declared as a uint160',
    contract('buy(uint160 item)', { args: [{ operator: 'LESS_THAN', value: BigInt(shop).toString() }] }),
    /could be an address/,
  ],
  ['a delegate call', contract('buy(uint256 item)', { operation: 'DelegateCall' }), /DelegateCall/],
  [
    'a value of the wrong type',
    contract('buy(address to)', { args: [{ operator: 'EQUAL', value: 'x' }] }),
    /Expected address/,
  ],
  [
    'a range of addresses',
    contract('buy(address to)', { args: [{ operator: 'LESS_THAN', value: shop }] }),
    /requires a number/,
  ],
  [
    'more rules than there are arguments',
    contract('buy()', { args: [{ operator: 'EQUAL', value: 1 }] }),
    /more arguments than/,
  ],
  [
    'a contract that is the account itself',
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
    'an overloaded function name',
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
])('rejects %s', (_what, request, sentence) => {
  expect(() => read(request)).toThrow(sentence)
})

test('rejects two requests in one call', () => {
  expect(() => parseGrantRequest([good, good], { chain: 'eip155:1', account, now })).toThrow()
})

test('accepts rules that fix the value of an argument or limit a number', () => {
  const rules = [
    { operator: 'EQUAL', value: shop },
    { operator: 'LESS_THAN', value: '1000' },
    { operator: 'EQUAL', value: true },
  ]
  const policies = [{ type: 'recipients', data: { addresses: [shop] } }]
  const { permissions } = read({
    ...contract('claim(address to, uint256 amount, bool all)', { args: rules }),
    policies,
  })
  expect(permissions[1]).toMatchObject({
    kind: 'contract',
    functions: [
      {
        rules: [
          { operator: 'EQUAL', value: shop.toLowerCase() },
          { operator: 'LESS_THAN', value: '1000' },
          { operator: 'EQUAL', value: 'true' },
        ],
      },
    ],
  })
})

const to = { operator: 'EQUAL', value: shop }
const few = { operator: 'LESS_THAN', value: 1000 }

// These function names were found by brute force: their selectors match those of standard functions. Rules can fully constrain
// their arguments, so only the selectors make them unsafe.
test.each([
  [
    'join_tg_invmru_haha_fd06787(address a, bool b)',
    'transfer(address,uint256)',
    [to, { operator: 'EQUAL', value: true }],
  ],
  ['workMyDirefulOwner(uint256 a, uint256 b)', 'transfer(address,uint256)', [few, few]],
  ['watch_tg_invmru_2f69f1b(address a, address b)', 'approve(address,uint256)', [to, to]],
  [
    'claim_051aaebf(address a, uint256 b)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    [to, few],
  ],
] as const)('rejects %s, because its selector is that of %s', (name, real, args) => {
  expect(toFunctionSelector(name.replace(/ \w(?=[,)])/g, ''))).toBe(toFunctionSelector(real))
  expect(() => read(contract(name, { args }))).toThrow('moves assets or grants rights')
})

test.each([
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'transferFrom(address,address,uint256)',
  'approve(address,uint256)',
  'increaseAllowance(address,uint256)',
  'setApprovalForAll(address,bool)',
  'transferAndCall(address,uint256,bytes)',
  'transferShares(address,uint256)',
  'approveHash(bytes32)',
  'redeem(uint256,address,address)',
  'withdraw(uint256,address,address)',
  'setSubnodeOwner(bytes32,bytes32,address)',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'multicall(bytes[])',
  'execute(address,uint256,bytes)',
  'execute(bytes32,bytes)',
  'upgradeTo(address)',
  'upgradeToAndCall(address,bytes)',
  'approve(address,address,uint160,uint48)',
  'transferOwnership(address)',
  'grantRole(bytes32,address)',
  'enableModule(address)',
  'delegate(address)',
  'addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)',
  'removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)',
  'withdraw(uint256,uint256,address)',
  'withdrawAndHarvest(uint256,uint256,address)',
  'approvePlugin(address)',
])('rejects the selector of %s under any name', (signature) => {
  expect(isReserved(toFunctionSelector(signature))).toBe(true)
})
