import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { expect, test } from 'vitest'
import { fakeFailure } from '../testing/index.ts'
import { mergeByName } from './connectorGroups.ts'
import type { DirectoryState } from './directoryTypes.ts'
import { walletsToList } from './walletsToList.ts'

const listed = (id: string, change: Partial<Wallet> = {}): Wallet => ({
  id,
  name: `Wallet ${id}`,
  mobile_link: `${id}:`,
  ...change,
})
const directory = (change: Partial<DirectoryState> = {}): DirectoryState => ({
  featured: { status: 'ready', value: [] },
  recommended: { status: 'ready', value: [listed('r1'), listed('r2'), listed('r3')] },
  pages: { status: 'idle' },
  search: { text: '', result: { status: 'idle' } },
  ...change,
})
const here = (change: object = {}) =>
  mergeByName([{ id: 'io.a', name: 'A', type: 'ANNOUNCED', namespace: 'eip155', rdns: 'io.a', ...change }])
const initialState = {
  shown: [],
  pairs: true,
  recent: [],
  custom: [],
  excluded: [],
  namespace: 'eip155',
  choosesFeatured: false,
  directory: directory(),
} as const
type Now = Parameters<typeof walletsToList>[0]
const ids = (change: Partial<Now>) => walletsToList({ ...initialState, ...change }).wallets.map(({ id }) => id)

test('a wallet with the same name is listed once per chain family', () => {
  const wallet = (id: string, namespace: 'eip155' | 'solana') =>
    ({ id, name: 'A', type: 'ANNOUNCED', namespace }) as const
  const [group, ...others] = mergeByName([wallet('1', 'eip155'), wallet('2', 'solana'), wallet('3', 'eip155')])
  expect(others).toEqual([])
  expect(group).toMatchObject({ type: 'MULTI_CHAIN', members: [{ id: '1' }, { id: '2' }] })
})

test('recent wallets do not include excluded, discovered or unreachable wallets, or wallets for other chain families', () => {
  const recent = [
    listed('x', { name: 'Excluded' }),
    listed('h', { rdns: 'io.a' }),
    listed('s', { chains: ['solana:x'] }),
    { id: 'extension', name: 'An extension that was removed' },
    listed('any'),
    listed('e', { chains: ['eip155:1'] }),
    { id: 'u', name: 'A wallet with only a universal link', link_mode: 'https://wallet.example/wc' },
  ] as Now['recent']
  const now = { recent, shown: here(), excluded: [{ name: 'excluded' }] }
  expect(ids(now)).toEqual(['any', 'e', 'u'])
  expect(ids({ ...now, pairs: false })).toEqual([])
})

test('lists recent, featured and custom wallets in this order, without duplicates or discovered wallets', () => {
  const shown = here({ explorerId: 'same' })
  const featured = [listed('f'), listed('same'), listed('rec'), listed('twin', { rdns: 'io.own' })]
  const now: Partial<Now> = {
    shown,
    recent: [listed('rec')] as Now['recent'],
    custom: [listed('own', { rdns: 'io.own' }), listed('own2')],
    choosesFeatured: true,
    directory: directory({ featured: { status: 'ready', value: featured } }),
  }
  expect(ids(now)).toEqual(['rec', 'f', 'twin', 'own2'])
})

test('MetaMask is recognized in its in-app browser', () => {
  const featured = [listed('m', { rdns: 'io.metamask', name: 'MetaMask' }), listed('n')]
  const now = {
    shown: here({ name: 'MetaMask Mobile', rdns: 'io.metamask.mobile' }),
    choosesFeatured: true,
    directory: directory({ featured: { status: 'ready', value: featured } }),
  }
  expect(ids(now)).toEqual(['n'])
})

test('an entry that imitates an installed wallet is treated as that wallet if it has no rdns, and is otherwise shown with its rdns', () => {
  const shown = here({ name: 'MetaMask', rdns: 'io.metamask' })
  const imitations = ['MetaMask', 'MetaМask', 'Meta Mask', 'metamask', 'ΜetaMask']
  const names = (rdns?: string) =>
    walletsToList({
      ...initialState,
      shown,
      directory: directory({
        featured: {
          status: 'ready',
          value: [...imitations, 'MetaMask (io.metamask)', 'Fine Wallet'].map((name, at) =>
            listed(String(at), { name, ...(rdns === undefined ? {} : { rdns: `${rdns}${at}` }) }),
          ),
        },
      }),
      choosesFeatured: true,
    }).wallets.map(({ name }) => name)
  expect(names()).toEqual(['MetaMask (io.metamask) (?)', 'Fine Wallet'])
  expect(names('com.other')).toEqual([
    ...imitations.map((name, at) => `${name} (com.other${at})`),
    'MetaMask (io.metamask) (com.other5)',
    'Fine Wallet',
  ])
})

test('wallets whose names contain no letters are not merged', () => {
  const featured = [listed('f', { name: '🦊' })]
  const now = {
    shown: here({ name: '🐻', rdns: undefined }),
    choosesFeatured: true,
    directory: directory({ featured: { status: 'ready', value: featured } }),
  }
  expect(ids(now)).toEqual(['f'])
})

test.each<[string, Partial<Now>, readonly string[]]>([
  ['two wallets if no wallet is installed', {}, ['r1', 'r2']],
  ['one wallet if one wallet is installed', { shown: here() }, ['r1']],
  [
    'no wallets if there is one installed and one recent wallet',
    { shown: here(), recent: [listed('z')] as Now['recent'] },
    ['z'],
  ],
  [
    'two wallets if the only installed wallet is an unidentified injected wallet',
    { shown: here({ name: 'Browser Wallet', type: 'INJECTED' }) },
    ['r1', 'r2'],
  ],
  ['only wallets that are not installed', { shown: here({ explorerId: 'r1' }) }, ['r2']],
  ['only wallets that are not excluded', { excluded: [{ name: 'Wallet r1' }] }, ['r2', 'r3']],
  ['no wallets if the host sets featured IDs', { choosesFeatured: true }, []],
  ['only the host’s custom wallets, if there are any', { custom: [listed('own')] }, ['own']],
  ['no wallets if WalletConnect is not available', { pairs: false }, []],
  ['no wallets if there is no directory', { directory: undefined }, []],
])('recommended: %s', (_, change, expected) => {
  expect(ids(change)).toEqual(expected)
})

test('placeholders are shown while recommended wallets load, and are removed if loading fails', () => {
  const comingFor = (recommended: DirectoryState['recommended'], change: Partial<Now> = {}) =>
    walletsToList({ ...initialState, ...change, directory: directory({ recommended }) }).coming
  expect(comingFor({ status: 'idle' })).toBe(2)
  expect(comingFor({ status: 'loading' }, { shown: here() })).toBe(1)
  expect(comingFor({ status: 'ready', value: [] })).toBe(0)
  expect(comingFor({ status: 'failed', error: fakeFailure('http/unreachable', { url: 'https://x.example' }) })).toBe(0)
  expect(comingFor({ status: 'loading' }, { choosesFeatured: true })).toBe(0)
})
