import type { Wallet } from '@latchkey/protocol/http/contract'
import { expect, test } from 'vitest'
import type { ConnectorInfo } from '../latchkey.ts'
import { connectLists, connectorOf, walletCountText, walletRows } from './lists.ts'

const here = (change: Partial<ConnectorInfo>): ConnectorInfo => ({
  id: 'io.a',
  name: 'A',
  type: 'ANNOUNCED',
  namespace: 'eip155',
  ...change,
})
const listed = (id: string, change: Partial<Wallet> = {}): Wallet => ({ id, name: `Wallet ${id}`, ...change })
const quiet = {
  connectors: [here({ id: 'walletConnect', name: 'WalletConnect', type: 'WALLET_CONNECT' })],
  recent: [],
  featured: [],
  custom: [],
  recommended: [],
  excluded: [],
  namespace: 'eip155',
  choosesFeatured: false,
} as const
const ids = (wallets: readonly { id: string }[]) => wallets.map(({ id }) => id)

test('a directory wallet is reached by explorer id, else by rdns, within its family', () => {
  const connectors = [here({ explorerId: 'x', namespace: 'solana' }), here({ explorerId: 'x' }), here({ rdns: 'io.r' })]
  expect(connectorOf({ id: 'x' }, { connectors, namespace: 'eip155' })).toBe(connectors[1])
  expect(connectorOf({ id: 'y', rdns: 'io.r' }, { connectors })).toBe(connectors[2])
  expect(connectorOf({ id: 'y' }, { connectors })).toBeUndefined()
})

test('a wallet without rdns is not taken for a connector without one', () => {
  expect(connectorOf({ id: 'y' }, { connectors: [here({})] })).toBeUndefined()
})

test('installed wallets come first, the rest keep their order', () => {
  const rows = walletRows({
    wallets: [listed('b'), listed('a'), listed('c', { rdns: 'io.r' })],
    connectors: [here({ rdns: 'io.r' })],
  })
  expect(rows.map(({ wallet: { id } }) => id)).toEqual(['c', 'b', 'a'])
})

test('MetaMask in its own browser is MetaMask', () => {
  const connectors = [...quiet.connectors, here({ name: 'Mobile', rdns: 'io.metamask.mobile' })]
  const lists = connectLists({ ...quiet, connectors, featured: [listed('m', { rdns: 'io.metamask' }), listed('n')] })
  expect(ids(lists.featured)).toEqual(['n'])
})

test('recent wallets leave out the excluded, the ones here, and other families', () => {
  const recent = [
    { id: 'x', name: 'Excluded' },
    { id: 'io.a', name: 'Here' },
    { id: 's', name: 'S', chains: ['solana:x'] },
    { id: 'any', name: 'Any' },
    { id: 'e', name: 'E', chains: ['eip155:1'] },
  ]
  const lists = connectLists({ ...quiet, connectors: [here({})], recent, excluded: [{ name: 'excluded' }] })
  expect(ids(lists.recent)).toEqual(['any', 'e'])
})

test.each([
  ['with nothing here, two', {}, ['r1', 'r2']],
  ['with one here, one', { connectors: [...quiet.connectors, here({})] }, ['r1']],
  [
    'with one here and one recent, none',
    { connectors: [...quiet.connectors, here({})], recent: [{ id: 'z', name: 'Z' }] },
    [],
  ],
  [
    'with a nameless one here, still two',
    { connectors: [...quiet.connectors, here({ name: 'Browser Wallet', type: 'INJECTED' as const })] },
    ['r1', 'r2'],
  ],
  ['with featured ids chosen, none', { choosesFeatured: true }, []],
  ['with wallets of the host’s own, none', { custom: [listed('own')] }, []],
  ['without WalletConnect, none', { connectors: [] }, []],
])('recommended: %s', (_, change, expected) => {
  const lists = connectLists({ ...quiet, recommended: [listed('r1'), listed('r2'), listed('r3')], ...change })
  expect(ids(lists.recommended)).toEqual(expected)
})

test('the same wallet is never listed twice', () => {
  const connectors = [...quiet.connectors, here({ name: 'Same', rdns: 'io.same', explorerId: 'same' })]
  const featured = [listed('same'), listed('b', { rdns: 'io.same' }), listed('c', { name: 'Same' }), listed('d')]
  expect(ids(connectLists({ ...quiet, connectors, featured }).featured)).toEqual(['d'])
})

test.each([
  [7, '7'],
  [10, '10'],
  [430, '430'],
  [437, '430+'],
])('%i wallets are counted as %s', (count, text) => {
  expect(walletCountText(count)).toBe(text)
})
