import type { Hex } from 'viem'
import { expect, test, vi } from 'vitest'
import type { House } from '../house.ts'
import { type Grant, unspent } from './grant.ts'
import type { GrantStore } from './store.ts'
import { unlessGranted, type Wanted } from './use.ts'

const account = '0xab5801a7d398351b8be11c439e05c5b3259aec9b'
const friend = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' as Hex
const context: Hex = `0x${'ab'.repeat(32)}`
const permissions: Grant['permissions'] = [{ kind: 'coin', most: 100n, start: 0, period: 1_000_000 }]

function houseWith({ on = true, since = 7 }: { on?: boolean; since?: number } = {}) {
  let grant: Grant = {
    context,
    userId: 'ada',
    origin: 'https://shop.example',
    chain: 'eip155:1',
    account,
    expiry: 1_000,
    permissions,
    recipients: undefined,
    callsMost: undefined,
    tokens: {},
    createdAt: 0,
    signedInAt: 7,
    revokedAt: undefined,
    spent: unspent({ permissions }),
  }
  let turn: Promise<unknown> = Promise.resolve()
  const store: Pick<GrantStore, 'change' | 'inTurn'> = {
    async change(asked, change) {
      const { grant: next, result } = change(asked === context ? grant : undefined, 500)
      if (next) grant = next
      return result
    },
    inTurn(_, run) {
      const mine = turn.then(run, run)
      turn = mine
      return mine
    },
  }
  const house = {
    config: async () => ({ smartSessions: on }),
    grants: async () => store,
    session: { me: async () => ({ user: { id: 'ada' }, since }) },
  } as unknown as House
  return { house, used: () => grant.spent.used[0]?.amount }
}

type Foreseen = { fee: bigint; willFail: string | undefined; payer?: string; begins?: 'code' | 'contract' }

function wanted(value: bigint, foreseen: Partial<Foreseen> = {}, named: string | undefined = context) {
  const perform = vi.fn(async () => 'made')
  const deed: Wanted<Foreseen, string> = {
    asked: {
      origin: 'https://shop.example',
      chain: 'eip155:1',
      params: [{ capabilities: { permissions: { context: named } } }],
    },
    userId: 'ada',
    account,
    calls: [{ to: friend, value, data: '0x' }],
    prepare: async () => ({ fee: 10n, willFail: undefined, ...foreseen }),
    perform,
  }
  return { deed, perform }
}
const ask = async () => 'asked'

test('what is covered is made, and was written down before', async () => {
  const { house, used } = houseWith()
  const { deed, perform } = wanted(50n)
  perform.mockImplementation(async () => {
    expect(used()).toBe(60n)
    return 'made'
  })
  expect(await unlessGranted(house, deed, ask)).toBe('made')
})

test.each<readonly [what: string, value: bigint, foreseen: Partial<Foreseen>, named: string]>([
  ['more than is left', 91n, {}, context],
  ['a fee that does not fit', 50n, { fee: 51n }, context],
  ['a call that would fail', 1n, { willFail: 'reverted' }, context],
  ['a key that would get its code', 1n, { begins: 'code' }, context],
  ['a permission that nobody gave', 1n, {}, `0x${'cd'.repeat(32)}`],
  ['no context', 1n, {}, '0x12'],
])('%s is asked about, and uses nothing up', async (_what, value, foreseen, named) => {
  const { house, used } = houseWith()
  const { deed, perform } = wanted(value, foreseen, named)
  expect(await unlessGranted(house, deed, ask)).toBe('asked')
  expect([perform.mock.calls.length, used()]).toEqual([0, 0n])
})

test('a sign-in that was ended from another device takes with it what was allowed in it', async () => {
  const { house, used } = houseWith({ since: 8 })
  expect(await unlessGranted(house, wanted(1n).deed, ask)).toBe('asked')
  expect(used()).toBe(0n)
})

test('a fee that somebody else pays does not count', async () => {
  const { house, used } = houseWith()
  expect(await unlessGranted(house, wanted(100n, { payer: 'operator' }).deed, ask)).toBe('made')
  expect(used()).toBe(100n)
})

test('of calls at once that fit alone, only as many are made as fit together', async () => {
  const { house } = houseWith()
  const made = await Promise.all([1, 2, 3, 4].map(() => unlessGranted(house, wanted(35n).deed, ask)))
  expect(made).toEqual(['made', 'made', 'asked', 'asked'])
})

test('what was counted stays counted when it then fails', async () => {
  const { house, used } = houseWith()
  const { deed, perform } = wanted(50n)
  perform.mockRejectedValue(new Error('lost'))
  await expect(unlessGranted(house, deed, ask)).rejects.toThrow('lost')
  expect(used()).toBe(60n)
})

test('a network that cannot be asked leads to the visitor, who is told', async () => {
  const { house } = houseWith()
  const { deed } = wanted(1n)
  const lost = { ...deed, prepare: async () => Promise.reject(new Error('offline')) }
  expect(await unlessGranted(house, lost, ask)).toBe('asked')
})

test('where the operator has it off, every call is asked about', async () => {
  const { house } = houseWith({ on: false })
  expect(await unlessGranted(house, wanted(1n).deed, ask)).toBe('asked')
})
