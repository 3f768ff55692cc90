import type { Hex } from 'viem'
import { expect, test, vi } from 'vitest'
import type { Simulation } from '../decoders/simulateCalls.ts'
import type { FrameContext } from '../frameContext.ts'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { type CodeHashes, emptyUsage, type Grant } from './grant.ts'
import type { GrantStore } from './grantStore.ts'
import { inspectTargets } from './inspectTargets.ts'
import { type PermittedCalls, withPermission } from './withPermission.ts'

const account = '0xab5801a7d398351b8be11c439e05c5b3259aec9b'
const friend = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' as Hex
const context: Hex = `0x${'ab'.repeat(32)}`
const coins: Grant['permissions'] = [{ kind: 'coin', most: 100n, start: 0, period: 1_000_000 }]

/** Creates a network on which `code` is the code at every address. */
const network =
  (code: Hex = '0x') =>
  async (_chain: string, method: string): Promise<Hex> =>
    method === 'eth_getCode' ? code : `0x${'00'.repeat(32)}`

function frameWith({
  on = true,
  since = 7,
  rpc = network(),
  recipients,
  permissions = coins,
  codes,
}: {
  on?: boolean
  since?: number
  rpc?: (chain: string, method: string) => Promise<Hex>
  recipients?: readonly string[]
  permissions?: Grant['permissions']
  codes?: CodeHashes
} = {}) {
  let grant: Grant = {
    context,
    userId: 'ada',
    origin: 'https://shop.example',
    chain: 'eip155:1',
    account,
    expiry: 1_000,
    permissions,
    recipients,
    callsMost: undefined,
    tokens: {},
    codes,
    createdAt: 0,
    signedInAt: 7,
    revokedAt: undefined,
    spent: emptyUsage({ permissions }),
  }
  let turn: Promise<unknown> = Promise.resolve()
  const store: Pick<GrantStore, 'change' | 'inTurn'> = {
    async change(request, change) {
      const { grant: next, result } = change(request === context ? grant : undefined, 500)
      if (next) grant = next
      return result
    },
    inTurn(_, run) {
      const mine = turn.then(run, run)
      turn = mine
      return mine
    },
  }
  const frame = {
    config: async () => ({ smartSessions: on }),
    rpc,
    grants: async () => store,
    session: { me: async () => ({ user: { id: 'ada' }, since }) },
  } as unknown as FrameContext
  return { frame, used: () => grant.spent.used[0]?.amount }
}

type Foreseen = {
  fee: bigint
  willFail: string | undefined
  payer?: string
  begins?: 'code' | 'contract'
  simulation: Simulation
  tellsAll: boolean
}
const simulated = (changes: Partial<Simulation & { kind: 'done' }> = {}): Simulation => ({
  kind: 'done',
  changes: [],
  rights: [],
  isComplete: false,
  canLoseMore: false,
  tellsCoin: true,
  ...changes,
})

function requestedCalls(value: bigint, effects: Partial<Foreseen> = {}, named: string | undefined = context) {
  const perform = vi.fn(async () => 'made')
  const action: PermittedCalls<Foreseen, string> = {
    request: {
      origin: 'https://shop.example',
      chain: 'eip155:1',
      params: [{ capabilities: { permissions: { context: named } } }],
    },
    userId: 'ada',
    account,
    calls: [{ to: friend, value, data: '0x' }],
    prepare: async () => ({
      fee: 10n,
      willFail: undefined,
      simulation: { kind: 'unavailable' },
      tellsAll: false,
      ...effects,
    }),
    perform,
  }
  return { action, perform }
}
const ask = async () => 'asked'

test('covered calls are not made until their usage is stored', async () => {
  const { frame, used } = frameWith()
  const { action, perform } = requestedCalls(50n)
  perform.mockImplementation(async () => {
    expect(used()).toBe(60n)
    return 'made'
  })
  expect(await withPermission(frame, action, ask)).toBe('made')
})

test.each<readonly [what: string, value: bigint, effects: Partial<Foreseen>, named: string]>([
  ['a value above the remaining allowance', 91n, {}, context],
  ['a fee above the remaining allowance', 50n, { fee: 51n }, context],
  ['a call that would revert', 1n, { willFail: 'reverted' }, context],
  ['a call that would add code to an EOA (EIP-7702)', 1n, { begins: 'code' }, context],
  ['an unknown permission', 1n, {}, `0x${'cd'.repeat(32)}`],
  ['an invalid context', 1n, {}, '0x12'],
])('%s requires approval and does not count as usage', async (_what, value, effects, named) => {
  const { frame, used } = frameWith()
  const { action, perform } = requestedCalls(value, effects, named)
  expect(await withPermission(frame, action, ask)).toBe('asked')
  expect([perform.mock.calls.length, used()]).toEqual([0, 0n])
})

test('a grant ends with its sign-in session, even if the session is revoked on a different device', async () => {
  const { frame, used } = frameWith({ since: 8 })
  expect(await withPermission(frame, requestedCalls(1n).action, ask)).toBe('asked')
  expect(used()).toBe(0n)
})

test('a sponsored fee does not count toward the allowance', async () => {
  const { frame, used } = frameWith()
  expect(await withPermission(frame, requestedCalls(100n, { payer: 'operator' }).action, ask)).toBe('made')
  expect(used()).toBe(100n)
})

test('makes concurrent calls without approval only as long as their total fits within the allowance', async () => {
  const { frame } = frameWith()
  const made = await Promise.all([1, 2, 3, 4].map(() => withPermission(frame, requestedCalls(35n).action, ask)))
  expect(made).toEqual(['made', 'made', 'asked', 'asked'])
})

test('the usage still counts if the calls fail', async () => {
  const { frame, used } = frameWith()
  const { action, perform } = requestedCalls(50n)
  perform.mockRejectedValue(new Error('lost'))
  await expect(withPermission(frame, action, ask)).rejects.toThrow('lost')
  expect(used()).toBe(60n)
})

test('asks the user for approval if the network cannot be reached', async () => {
  const { frame } = frameWith()
  const { action } = requestedCalls(1n)
  const lost = { ...action, prepare: async () => Promise.reject(new Error('offline')) }
  expect(await withPermission(frame, lost, ask)).toBe('asked')
})

test('every call requires approval if the operator disables permissions', async () => {
  const { frame } = frameWith({ on: false })
  expect(await withPermission(frame, requestedCalls(1n).action, ask)).toBe('asked')
})

test('native currency is sent to a contract without approval only if the user has seen the contract’s address', async () => {
  const rpc = network('0x6000')
  const { frame, used } = frameWith({ rpc })
  expect(await withPermission(frame, requestedCalls(1n).action, ask)).toBe('asked')
  expect(used()).toBe(0n)
  const { frame: named } = frameWith({ rpc, recipients: [friend.toLowerCase()] })
  expect(await withPermission(named, requestedCalls(1n).action, ask)).toBe('made')
})

test('asks the user for approval if the node does not return the code at an address', async () => {
  const rpc = async (): Promise<Hex> => Promise.reject(new Error('offline'))
  expect(await withPermission(frameWith({ rpc }).frame, requestedCalls(1n).action, ask)).toBe('asked')
})

const router = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
/** A node on which every address has code and every call reverts. */
const withRouter = async (_chain: string, method: string): Promise<Hex> => {
  if (method === 'eth_call') throw new Error('execution reverted')
  return method === 'eth_getCode' ? '0x6000' : `0x${'00'.repeat(32)}`
}

async function callOfContract(effects: Partial<Foreseen>) {
  const contract = { kind: 'contract', address: router, functions: [] } as const
  const codes = await inspectTargets(withRouter as ChainRpcClient, limitsWith([contract]))
  const join = { name: 'join', selector: '0x12345678', inputs: [], rules: [], valueMost: 5n } as const
  const permissions: Grant['permissions'] = [...coins, { ...contract, functions: [join] }]
  const { frame, used } = frameWith({ rpc: withRouter, permissions, codes, recipients: [router] })
  const { action } = requestedCalls(0n, effects)
  const calls = [{ to: router as Hex, value: 5n, data: '0x12345678' as Hex }]
  return { response: await withPermission(frame, { ...action, calls }, ask), used }
}
const limitsWith = (permissions: Grant['permissions']) =>
  ({
    chain: 'eip155:1',
    account,
    expiry: 1_000,
    permissions,
    recipients: undefined,
    callsMost: undefined,
  }) as const

test('makes a contract call without approval if its simulation is complete and shows no more outgoing assets than were counted', async () => {
  const paid = simulated({ changes: [{ kind: 'coin', amount: -5n }] })
  const got = simulated({ changes: [{ kind: 'item', token, id: 1n, count: 1n }] })
  for (const simulation of [paid, got, simulated()])
    expect((await callOfContract({ simulation, tellsAll: true })).response).toBe('made')
})

test.each<readonly [what: string, effects: Partial<Foreseen>]>([
  [
    'takes approved tokens',
    { simulation: simulated({ changes: [{ kind: 'token', token, amount: -1n }] }), tellsAll: true },
  ],
  [
    'takes an NFT',
    { simulation: simulated({ changes: [{ kind: 'item', token, id: 1n, count: -1n }] }), tellsAll: true },
  ],
  [
    'takes more native currency than the call’s value',
    { simulation: simulated({ changes: [{ kind: 'coin', amount: -6n }] }), tellsAll: true },
  ],
  [
    'approves a spender',
    {
      simulation: simulated({ rights: [{ kind: 'allowToken', token, spender: router, amount: 1n }] }),
      tellsAll: true,
    },
  ],
  ['cannot be fully decoded', { simulation: simulated(), tellsAll: false }],
  ['cannot be simulated', { simulation: { kind: 'unavailable' } }],
  ['would revert', { simulation: { kind: 'reverts', reason: undefined } }],
])('a contract call that %s requires approval and does not count as usage', async (_what, effects) => {
  const { response, used } = await callOfContract(effects)
  expect([response, used()]).toEqual(['asked', 0n])
})

test('a native transfer with additional effects requires approval', async () => {
  const { frame } = frameWith()
  const simulation = simulated({
    changes: [
      { kind: 'coin', amount: -1n },
      { kind: 'token', token, amount: -7n },
    ],
  })
  expect(await withPermission(frame, requestedCalls(1n, { simulation }).action, ask)).toBe('asked')
  const only = simulated({ changes: [{ kind: 'coin', amount: -1n }] })
  expect(await withPermission(frame, requestedCalls(1n, { simulation: only }).action, ask)).toBe('made')
})
