import { expect, test, vi } from 'vitest'
import { fakeLatchkey } from '../testing/fakeLatchkey.ts'
import { type SmartSessionParameters, smartSessions } from './smartSessions.ts'

const context = `0x${'ab'.repeat(32)}`
const address = '0xab5801a7d398351b8be11c439e05c5b3259aec9b'
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const answer = {
  context,
  chainId: '0x1',
  address,
  expiry: 2_000,
  signer: { type: 'wallet' },
  permissions: [
    { type: 'native-token-recurring-allowance', data: { allowance: '0x64', start: 1_000, period: 60 }, used: '0xa' },
    {
      type: 'erc20-recurring-allowance',
      data: { token, allowance: '0x7', start: 1_000, period: 60 },
      symbol: 'TUSD',
      decimals: 6,
      used: '0x0',
    },
    {
      type: 'contract-call',
      data: { address: token, functions: [{ functionName: 'buy', signature: 'buy(uint256)' }] },
    },
  ],
  policies: [{ type: 'call-limit', data: { count: 3 } }],
  calls: 1,
  createdAt: 1_000,
  state: 'active',
}
const requests: SmartSessionParameters = {
  expiry: 2_000,
  permissions: [{ type: 'native-token-recurring-allowance', data: { allowance: 100n, period: 60 } }],
}

function connected(request: (call: { method: string; params?: unknown }) => Promise<unknown>, on = true) {
  return fakeLatchkey({
    options: { features: { smartSessions: on }, clock: { now: () => 1_000_000, after: () => () => undefined } },
    request,
    state: (initialState) => ({
      ...initialState,
      connections: {
        ...initialState.connections,
        byNamespace: {
          eip155: {
            status: 'connected',
            connectorId: 'ID_AUTH',
            accounts: [`eip155:1:${address}`],
            chain: 'eip155:1',
            health: 'ok',
          },
        },
      },
    }),
  })
}

test('grant() sends amounts in hex and the session’s network, and parses the response', async () => {
  const request = vi.fn(async () => answer)
  const session = await smartSessions(connected(request)).grant(requests)
  expect(request).toHaveBeenCalledWith({
    method: 'wallet_grantPermissions',
    params: [
      {
        chainId: '0x1',
        signer: { type: 'wallet', data: {} },
        expiry: 2_000,
        permissions: [{ type: 'native-token-recurring-allowance', data: { allowance: '0x64', period: 60 } }],
      },
    ],
  })
  expect(session).toEqual({
    context,
    chain: 'eip155:1',
    address,
    expiry: 2_000,
    state: 'active',
    calls: 1,
    createdAt: 1_000,
    maxCalls: 3,
    permissions: [
      { kind: 'coin', allowance: 100n, period: 60, used: 10n },
      { kind: 'token', token, symbol: 'TUSD', decimals: 6, allowance: 7n, period: 60, used: 0n },
      { kind: 'contract', address: token, functions: ['buy(uint256)'] },
    ],
  })
})

test('all issues in a request are reported together, and nothing is sent to the wallet', async () => {
  const request = vi.fn(async () => answer)
  const wrong = {
    ...requests,
    expiry: 10,
    permissions: [{ type: 'all', data: {} }],
  } as unknown as SmartSessionParameters
  await expect(smartSessions(connected(request)).grant(wrong)).rejects.toMatchObject({
    code: 'input/invalid',
    message: expect.stringMatching(/expiry: .*; permissions\.0/),
  })
  expect(request).not.toHaveBeenCalled()
})

test('nothing is sent to the wallet while the feature is disabled', async () => {
  const request = vi.fn(async () => [answer])
  await expect(smartSessions(connected(request, false)).list()).rejects.toMatchObject({
    code: 'input/invalid',
    message: 'features.smartSessions: must be on',
  })
  expect(request).not.toHaveBeenCalled()
})

test('every request rejects while no wallet is connected', async () => {
  const latchkey = fakeLatchkey({ options: { features: { smartSessions: true } } })
  await expect(smartSessions(latchkey).list()).rejects.toMatchObject({
    code: 'wallet/not-authorized',
    details: { connectorId: '' },
  })
})

test('a malformed response is reported as a wallet error', async () => {
  await expect(smartSessions(connected(async () => ({ context }))).grant(requests)).rejects.toMatchObject({
    code: 'wallet/failed',
  })
  await expect(smartSessions(connected(async () => [{ ...answer, state: 'for ever' }])).list()).rejects.toMatchObject({
    code: 'wallet/failed',
  })
})

test('revoke() sends the session’s context and reports a rejection by the user', async () => {
  const request = vi.fn(async () => null)
  await smartSessions(connected(request)).revoke(context)
  expect(request).toHaveBeenCalledWith({ method: 'wallet_revokePermissions', params: [{ context }] })
  const declined = async () => {
    throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
  }
  await expect(smartSessions(connected(declined)).revoke(context)).rejects.toMatchObject({ code: 'user/rejected' })
})
