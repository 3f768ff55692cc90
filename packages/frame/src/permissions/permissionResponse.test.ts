import { expect, test } from 'vitest'
import { emptyUsage, type Grant } from './grant.ts'
import { toPermissionResponse } from './permissionResponse.ts'

const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const shop = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const permissions: Grant['permissions'] = [
  { kind: 'coin', most: 100n, start: 0, period: 60 },
  { kind: 'token', token, most: 255n, start: 0, period: 1_000 },
  {
    kind: 'contract',
    address: shop,
    functions: [
      {
        name: 'buy',
        selector: '0x12345678',
        inputs: [
          { name: 'item', type: 'uint256' },
          { name: 'for', type: 'address' },
        ],
        rules: [{ operator: 'LESS_THAN', value: '5' }, undefined],
        valueMost: 16n,
      },
    ],
  },
]
const grant: Grant = {
  context: '0x01',
  userId: 'ada',
  origin: 'https://shop.example',
  chain: 'eip155:137',
  account: '0xab5801a7d398351b8be11c439e05c5b3259aec9b',
  expiry: 1_000,
  permissions,
  recipients: [shop],
  callsMost: 3,
  tokens: { [token]: { symbol: 'TUSD', decimals: 6 } },
  createdAt: 5,
  signedInAt: 1,
  revokedAt: undefined,
  spent: {
    used: [
      { period: 0, amount: 7n },
      { period: 0, amount: 8n },
      { period: 0, amount: 0n },
    ],
    calls: 2,
  },
}

test('the response lists the limits and their current usage, and contains nothing about the user or the page', () => {
  expect(toPermissionResponse(grant, 30)).toEqual({
    context: '0x01',
    chainId: '0x89',
    address: grant.account,
    expiry: 1_000,
    signer: { type: 'wallet' },
    permissions: [
      { type: 'native-token-recurring-allowance', data: { allowance: '0x64', start: 0, period: 60 }, used: '0x7' },
      {
        type: 'erc20-recurring-allowance',
        data: { token, allowance: '0xff', start: 0, period: 1_000 },
        symbol: 'TUSD',
        decimals: 6,
        used: '0x8',
      },
      {
        type: 'contract-call',
        data: {
          address: shop,
          functions: [
            {
              functionName: 'buy',
              signature: 'buy(uint256,address)',
              args: [{ operator: 'LESS_THAN', value: '5' }, null],
              valueLimit: '0x10',
            },
          ],
        },
      },
    ],
    policies: [
      { type: 'recipients', data: { addresses: [shop] } },
      { type: 'call-limit', data: { count: 3 } },
    ],
    calls: 2,
    createdAt: 5,
    state: 'active',
  })
})

test('the usage of an earlier period no longer counts, and absent limits are not listed', () => {
  const open = { ...grant, recipients: undefined, callsMost: undefined }
  expect(toPermissionResponse(open, 60)).toMatchObject({
    permissions: [{ used: '0x0' }, { used: '0x8' }, { type: 'contract-call' }],
    policies: [],
  })
  const unused = { ...open, spent: emptyUsage(grant) }
  expect(toPermissionResponse(unused, 30)).toMatchObject({
    permissions: [{ used: '0x0' }, { used: '0x0' }, {}],
    calls: 0,
  })
})

test.each([
  ['active', 999, undefined],
  ['expired', 1_000, undefined],
  ['revoked', 999, 50],
  ['revoked', 1_000, 50],
])('the state is %s at %i with the revocation time %o', (state, now, revokedAt) => {
  const response = toPermissionResponse({ ...grant, revokedAt }, now)
  expect(response).toMatchObject({ state })
  expect('revokedAt' in response).toBe(revokedAt !== undefined)
})
