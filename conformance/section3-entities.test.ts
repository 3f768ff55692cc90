import { describe, expect, test } from 'vitest'
import type { MultichainConnector, Network } from '../packages/core/src/adapter.ts'
import {
  bitcoin,
  bitcoinTestnet,
  type ConnectorInfo,
  solana,
  solanaDevnet,
  solanaTestnet,
} from '../packages/core/src/index.ts'
import '../packages/core/src/pairing/createPairing.ts'
import type { StorageEntry } from '../packages/core/src/storage/storageEntry.ts'
import { createRecords, type StorageSchema } from '../packages/core/src/storage/storageSchema.ts'
import { createCaches } from '../packages/core/src/storage/storedCaches.ts'
import { fakeAdapter, fakeClock, fakeConnector, fakeFetch, memoryStorage } from '../packages/core/src/testing/index.ts'
import { groupConnectors, mergeByName, withConnector } from '../packages/core/src/wallets/connectorGroups.ts'
import { wallet } from '../packages/protocol/src/http/publicRoutes.ts'
import { read } from '../packages/protocol/src/parseWithSchema.ts'
import { connectorIds } from '../packages/protocol/src/specificationConstants.ts'
import { openPage } from './testPage.ts'

const info = (change: Partial<ConnectorInfo>): ConnectorInfo => ({
  id: 'a',
  name: 'A',
  type: 'ANNOUNCED',
  namespace: 'eip155',
  ...change,
})
const shown = (connectors: readonly ConnectorInfo[], change: object = {}) =>
  groupConnectors({ connectors, filter: undefined, excluded: [], mobile: false, ...change })

const directoryWallet = {
  id: 'w',
  name: 'W',
  image_id: 'i',
  rdns: 'io.w',
  chains: ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  mobile_link: 'w://',
  desktop_link: 'w-desktop://',
  webapp_link: 'https://w.example',
}

test('a directory wallet keeps every specified field in the list of all wallets [R3.2]', async () => {
  expect(read(wallet, directoryWallet)).toEqual(directoryWallet)
  const server = fakeFetch({ '/getWallets': () => ({ data: [{ ...directoryWallet, more: 1 }], count: 1 }) })
  const { latchkey } = await openPage({ server: 'https://connect.example', projectId: 'p' }, { server })
  const directory = await latchkey.directory()
  await directory?.nextPage()
  expect(directory?.state.get().pages).toEqual({
    status: 'ready',
    value: { wallets: [directoryWallet], count: 1, page: 1 },
  })
})

test.each([
  ['id', 7],
  ['id', ''],
  ['name', 7],
  ['name', ''],
  ['image_id', 7],
  ['rdns', 7],
  ['chains', 'eip155:1'],
  ['chains', [7]],
  ['mobile_link', 7],
  ['desktop_link', 7],
  ['webapp_link', 7],
])('a directory wallet whose %s is %o is rejected [R3.2]', (field, value) => {
  expect(read(wallet, { ...directoryWallet, [field]: value })).toBeUndefined()
})

test('a directory wallet requires only an ID and a name [R3.2]', () => {
  expect(read(wallet, { id: 'w', name: 'W' })).toEqual({ id: 'w', name: 'W' })
  const { name: _, ...nameless } = directoryWallet
  const { id: __, ...idless } = directoryWallet
  for (const incomplete of [nameless, idless]) expect(read(wallet, incomplete)).toBeUndefined()
})

const solanaCoin = { name: 'Solana', symbol: 'SOL', decimals: 9 }
const bitcoinCoin = { name: 'Bitcoin', symbol: 'BTC', decimals: 8 }
const solscan = { default: { name: 'Solscan', url: 'https://solscan.io' } }

// The expected values are literals so that no field is compared with itself.
test.each<[name: string, network: Network, fields: Network]>([
  [
    'Solana Mainnet',
    solana,
    {
      id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      name: 'Solana',
      network: 'solana',
      nativeCurrency: solanaCoin,
      rpcUrls: { default: { http: ['https://api.mainnet-beta.solana.com'] } },
      blockExplorers: solscan,
      testnet: false,
      chainNamespace: 'solana',
      caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      assets: { imageId: 'a1b58899-f671-4276-6a5e-56ca5bd59700' },
    },
  ],
  [
    'Solana Devnet',
    solanaDevnet,
    {
      id: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
      name: 'Solana Devnet',
      network: 'solana-devnet',
      nativeCurrency: solanaCoin,
      rpcUrls: { default: { http: ['https://api.devnet.solana.com'] } },
      blockExplorers: solscan,
      testnet: true,
      chainNamespace: 'solana',
      caipNetworkId: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
      assets: { imageId: 'a1b58899-f671-4276-6a5e-56ca5bd59700' },
    },
  ],
  [
    'Solana Testnet',
    solanaTestnet,
    {
      id: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
      name: 'Solana Testnet',
      network: 'solana-testnet',
      nativeCurrency: solanaCoin,
      rpcUrls: { default: { http: ['https://api.testnet.solana.com'] } },
      blockExplorers: solscan,
      testnet: true,
      chainNamespace: 'solana',
      caipNetworkId: 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
      assets: { imageId: 'a1b58899-f671-4276-6a5e-56ca5bd59700' },
    },
  ],
  [
    'Bitcoin Mainnet',
    bitcoin,
    {
      id: '000000000019d6689c085ae165831e93',
      name: 'Bitcoin',
      network: 'bitcoin',
      nativeCurrency: bitcoinCoin,
      rpcUrls: { default: { http: ['https://mempool.space/api'] } },
      blockExplorers: { default: { name: 'mempool.space', url: 'https://mempool.space' } },
      testnet: false,
      chainNamespace: 'bip122',
      caipNetworkId: 'bip122:000000000019d6689c085ae165831e93',
      assets: { imageId: '0b4838db-0161-4ffe-022d-532bf03dba00' },
    },
  ],
  [
    'Bitcoin Testnet',
    bitcoinTestnet,
    {
      id: '000000000933ea01ad0ee984209779ba',
      name: 'Bitcoin Testnet',
      network: 'bitcoin-testnet',
      nativeCurrency: bitcoinCoin,
      rpcUrls: { default: { http: ['https://mempool.space/testnet/api'] } },
      blockExplorers: { default: { name: 'mempool.space', url: 'https://mempool.space/testnet' } },
      testnet: true,
      chainNamespace: 'bip122',
      caipNetworkId: 'bip122:000000000933ea01ad0ee984209779ba',
      assets: { imageId: '0b4838db-0161-4ffe-022d-532bf03dba00' },
    },
  ],
])('%s is defined with all network fields, and a host can use it [R3.3] [R9.10]', async (_, network, fields) => {
  expect(network).toEqual(fields)
  // A host that configures the network gets it unchanged as the active network.
  const adapter = fakeAdapter({ namespace: network.chainNamespace, networks: [network] })
  const { latchkey } = await openPage({ adapters: [adapter] })
  expect(latchkey.state.get().networks).toEqual({
    known: [fields],
    active: fields.caipNetworkId,
    namespace: fields.chainNamespace,
  })
  expect(latchkey.network(fields.caipNetworkId)).toEqual(fields)
})

test('an unlisted network has a display name and currency, a numeric ID if possible, and no RPC URL [R3.3]', async () => {
  const { latchkey } = await openPage({ adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })] })
  const unknown = {
    name: 'Unknown Network',
    nativeCurrency: { name: 'Unknown', symbol: '', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  }
  expect(latchkey.network('eip155:424242')).toEqual({
    ...unknown,
    id: 424242,
    chainNamespace: 'eip155',
    caipNetworkId: 'eip155:424242',
  })
  expect(latchkey.network('solana:abc')).toEqual({
    ...unknown,
    id: 'abc',
    chainNamespace: 'solana',
    caipNetworkId: 'solana:abc',
  })
  expect(latchkey.network('bip122:000000000019d6689c085ae165831e93')).toBeUndefined()
})

test('an account has a status, address, chain and list of accounts, plus a balance and an identity [R3.4]', async () => {
  const wallet = fakeConnector({ addresses: ['0xaa', '0xbb'] })
  const evm = fakeAdapter({
    wallets: [wallet],
    balance: () => ({ value: 1_500_000_000_000_000_000n, decimals: 18, symbol: 'ETH' }),
    identity: () => ({ name: 'ann.eth', image: 'https://pictures.example/ann' }),
  })
  const { latchkey, clock } = await openPage({ adapters: [evm] })
  await latchkey.connect({ connectorId: wallet.id })
  await latchkey.refresh()
  await clock.pass(0)
  expect(latchkey.account()).toMatchObject({
    status: 'connected',
    account: 'eip155:1:0xaa',
    address: '0xaa',
    chain: 'eip155:1',
    accounts: ['eip155:1:0xaa', 'eip155:1:0xbb'],
  })
  expect(latchkey.state.get().account).toEqual({
    balance: { status: 'ready', value: { value: 1_500_000_000_000_000_000n, decimals: 18, symbol: 'ETH' } },
    identity: { status: 'ready', value: { name: 'ann.eth', image: 'https://pictures.example/ann' } },
  })
})

test('an account’s fields match its status while the user connects and disconnects [R3.4]', async () => {
  let answer = () => {}
  const waits = new Promise<void>((resolve) => (answer = resolve))
  const wallet = fakeConnector({ id: 'io.a', addresses: ['0xaa', '0xbb'], waits })
  const { latchkey, clock } = await openPage({}, { wallet })
  const none = { account: undefined, address: undefined, chain: undefined, accounts: [], health: 'ok' }
  expect(latchkey.account()).toEqual({ ...none, status: 'disconnected', connectorId: undefined })
  const connects = latchkey.connect({ connectorId: 'io.a' })
  expect(latchkey.account()).toEqual({ ...none, status: 'connecting', connectorId: 'io.a' })
  answer()
  await connects
  expect(latchkey.account()).toEqual({
    status: 'connected',
    account: 'eip155:1:0xaa',
    address: '0xaa',
    chain: 'eip155:1',
    accounts: ['eip155:1:0xaa', 'eip155:1:0xbb'],
    connectorId: 'io.a',
    health: 'ok',
  })
  wallet.sessions[0]?.change({ accounts: ['0xbb', '0xcc', '0xaa'] })
  await latchkey.switchNetwork('eip155:10')
  expect(latchkey.account()).toMatchObject({
    account: 'eip155:10:0xbb',
    address: '0xbb',
    chain: 'eip155:10',
    accounts: ['eip155:10:0xbb', 'eip155:10:0xcc', 'eip155:10:0xaa'],
  })
  await latchkey.disconnect()
  await clock.pass(0)
  expect(latchkey.account()).toEqual({ ...none, status: 'disconnected', connectorId: undefined })
})

test('after a reload, the account has the stored address, chain and accounts until the wallet responds [R3.4]', async () => {
  const stored = {
    '@latchkey/connection_status': 'connected',
    '@latchkey/active_caip_network_id': 'eip155:10',
    '@latchkey/eip155:connected_connector_id': 'io.a',
    '@latchkey/connections': JSON.stringify({
      eip155: [{ connectorId: 'io.a', accounts: [{ address: '0xaa' }, { address: '0xbb' }], caipNetwork: 'eip155:10' }],
    }),
  }
  const wallet = fakeConnector({ id: 'io.a', waits: new Promise(() => {}) })
  const { latchkey } = await openPage({}, { wallet, stored })
  expect(latchkey.account()).toEqual({
    status: 'reconnecting',
    account: 'eip155:10:0xaa',
    address: '0xaa',
    chain: 'eip155:10',
    accounts: ['eip155:10:0xaa', 'eip155:10:0xbb'],
    connectorId: 'io.a',
    health: 'ok',
  })
})

test('account() returns the account in the given namespace, or in the active namespace by default [R3.4]', async () => {
  const evm = fakeConnector({ id: 'e', addresses: ['0xaa'] })
  const sol = fakeConnector({ namespace: 'solana', id: 's', addresses: ['Sol1'] })
  const { latchkey } = await openPage({
    adapters: [fakeAdapter({ wallets: [evm] }), fakeAdapter({ namespace: 'solana', wallets: [sol] })],
  })
  await latchkey.connect({ connectorId: 'e' })
  expect(latchkey.account('solana')).toMatchObject({ status: 'disconnected', address: undefined })
  await latchkey.connect({ connectorId: 's' })
  expect(latchkey.account().account).toBe('solana:1:Sol1')
  expect(latchkey.account('eip155').account).toBe('eip155:1:0xaa')
  expect(latchkey.account('solana').account).toBe('solana:1:Sol1')
  latchkey.activate({ namespace: 'eip155', connectorId: 'e' })
  expect(latchkey.account().account).toBe('eip155:1:0xaa')
})

/** Creates a wallet whose session has these account details. */
function detailed(type: 'AUTH' | 'ANNOUNCED', details: object) {
  const wallet = fakeConnector({ id: 'w', type })
  return {
    ...wallet,
    connect: async (params: Parameters<typeof wallet.connect>[0]) =>
      Object.assign(await wallet.connect(params), { details }),
  }
}

test.each([
  ['by default', {}, {}, { eip155: 'smartAccount', solana: 'eoa' }],
  ['by the host', { eip155: 'eoa' }, {}, { eip155: 'eoa', solana: 'eoa' }],
  [
    'by the user, overriding the host',
    { eip155: 'smartAccount', solana: 'eoa' },
    { '@latchkey/preferred_account_types': '{"eip155":"eoa"}' },
    { eip155: 'eoa', solana: 'eoa' },
  ],
] as const)(
  'the embedded wallet’s account has a type, and the preferred type for each namespace is set %s [R3.4]',
  async (_, defaultAccountTypes, stored, preferredAccountTypes) => {
    const { latchkey } = await openPage(
      {
        adapters: [fakeAdapter({ wallets: [detailed('AUTH', { type: 'eoa' })] }), fakeAdapter({ namespace: 'solana' })],
        defaultAccountTypes,
      },
      { stored },
    )
    await latchkey.connect({ connectorId: 'w' })
    expect(latchkey.account()).toMatchObject({ type: 'eoa', preferredAccountTypes })
  },
)

test('an account in any other wallet has a public key but no account types [R3.4]', async () => {
  const wallets = [detailed('ANNOUNCED', { publicKey: 'Key1' })]
  const { latchkey } = await openPage({ adapters: [fakeAdapter({ wallets })] })
  await latchkey.connect({ connectorId: 'w' })
  expect(latchkey.account().publicKey).toBe('Key1')
  expect(latchkey.account()).not.toHaveProperty('preferredAccountTypes')
  expect(latchkey.account()).not.toHaveProperty('type')
  await latchkey.disconnect()
  expect(latchkey.account()).not.toHaveProperty('publicKey')
})

test('the previous account’s balance and identity are not shown after an account change [R3.4]', async () => {
  const coin = { value: 5n, decimals: 18, symbol: 'ETH' }
  const ann = { name: 'ann.eth', image: 'https://pictures.example/ann' }
  let isSlow = false
  const slowly = <T>(value: T) => (isSlow ? new Promise<T>(() => {}) : value)
  const wallet = fakeConnector({ addresses: ['0xaa', '0xbb'] })
  const evm = fakeAdapter({ wallets: [wallet], balance: () => slowly(coin), identity: () => slowly(ann) })
  const { latchkey, clock } = await openPage({ adapters: [evm] })
  const nothing = { balance: { status: 'idle' }, identity: { status: 'idle' } }
  expect(latchkey.state.get().account).toEqual(nothing)
  await latchkey.connect({ connectorId: wallet.id })
  await clock.pass(0)
  const ready = { balance: { status: 'ready', value: coin }, identity: { status: 'ready', value: ann } }
  expect(latchkey.state.get().account).toEqual(ready)
  isSlow = true
  wallet.sessions[0]?.change({ accounts: ['0xbb', '0xaa'] })
  await clock.pass(0)
  expect(latchkey.state.get().account).toEqual({ balance: { status: 'loading' }, identity: { status: 'loading' } })
  await latchkey.disconnect()
  await clock.pass(0)
  expect(latchkey.state.get().account).toEqual(nothing)
})

test('recent wallets have an ID, name, rdns and image; only the two newest wallets are stored, newest first [R3.11] [R9.15]', async () => {
  const wallets = ['a', 'b', 'c'].map((id) =>
    fakeConnector({ id: `io.${id}`, rdns: `io.${id}`, name: id, imageId: `picture-${id}` }),
  )
  const { latchkey } = await openPage({ adapters: [fakeAdapter({ wallets })] })
  for (const { id } of wallets) await latchkey.connect({ connectorId: id })
  const recent = [
    { id: 'io.c', name: 'c', rdns: 'io.c', image_id: 'picture-c' },
    { id: 'io.b', name: 'b', rdns: 'io.b', image_id: 'picture-b' },
  ]
  expect(latchkey.state.get().wallets.recent).toEqual(recent)
  await latchkey.connect({ connectorId: 'io.b' })
  expect(latchkey.state.get().wallets.recent).toEqual(recent)
})

test('recent remote wallets and directory wallets are stored with their directory ID and links [R3.11]', async () => {
  const phone = fakeConnector({ id: 'walletConnect', name: 'WalletConnect', type: 'WALLET_CONNECT' })
  const wallets: MultichainConnector = {
    id: 'walletConnect',
    connectorFor: () => phone,
    pairing: async () => ({
      pair: async () => ({
        namespaces: ['eip155'],
        wallet: { name: 'Pocket Wallet', url: 'https://pocket.example' },
        signed: [],
        async disconnect() {},
      }),
    }),
  }
  const listed = fakeConnector({ id: 'io.b', rdns: 'io.b', name: 'B', explorerId: 'b' })
  const { latchkey, clock } = await openPage({ adapters: [fakeAdapter({ wallets: [listed] })], wallets: [wallets] })
  const pocket = {
    id: 'pocket',
    name: 'Pocket',
    rdns: 'example.pocket',
    image_id: 'picture-pocket',
    mobile_link: 'pocket://',
  }
  const pairing = await latchkey.pairing()
  pairing?.look({ wallet: pocket, by: 'qrcode' })
  await clock.pass(0)
  expect(latchkey.account().connectorId).toBe('walletConnect')
  expect(latchkey.state.get().wallets.recent).toEqual([pocket])
  await latchkey.connect({ connectorId: 'io.b' })
  expect(latchkey.state.get().wallets.recent).toEqual([{ id: 'b', name: 'B', rdns: 'io.b' }, pocket])
})

test('a recent wallet is restored after a reload, with its image [R3.11]', async () => {
  const storage = memoryStorage()
  const wallet = fakeConnector({ id: 'io.a', rdns: 'io.a', name: 'A', imageId: 'picture-a' })
  const first = await openPage({ storage }, { wallet })
  await first.connect()
  await first.latchkey.disconnect()
  first.stop()
  const { latchkey } = await openPage({ storage })
  expect(latchkey.state.get().wallets.recent).toEqual([{ id: 'io.a', name: 'A', rdns: 'io.a', image_id: 'picture-a' }])
})

test('a wallet with neither an rdns nor a directory ID is not stored as recent [R3.11]', async () => {
  const wallet = fakeConnector({ id: 'injected', name: 'Browser Wallet', type: 'INJECTED', imageId: 'i' })
  const { latchkey, storage, connect } = await openPage({}, { wallet })
  await connect()
  expect(latchkey.state.get().wallets.recent).toEqual([])
  expect(storage.all()).not.toHaveProperty(['@latchkey/recent_wallets'])
})

test.each([
  ['an rdns', { rdns: 'io.a' }, { id: 'io.a', name: 'A', rdns: 'io.a' }],
  ['a directory ID', { explorerId: 'directory-a' }, { id: 'directory-a', name: 'A' }],
  ['an image', { rdns: 'io.a', imageId: 'i' }, { id: 'io.a', name: 'A', rdns: 'io.a', image_id: 'i' }],
])('a recent wallet that has %s is stored without empty fields [R3.11]', async (_, fields, recent) => {
  const { storage, connect } = await openPage({}, { wallet: fakeConnector({ id: 'io.a', name: 'A', ...fields }) })
  await connect()
  expect(storage.all()['@latchkey/recent_wallets']).toBe(JSON.stringify([recent]))
})

test.each<[what: string, stored: unknown, recent: readonly object[]]>([
  [
    'only known fields and safe links are kept',
    [
      {
        id: 'a',
        name: 'A',
        rdns: 'io.a',
        image_id: 'i',
        chains: ['eip155:1', 7],
        mobile_link: 'javascript:alert(1)',
        desktop_link: 'a://',
        evil: true,
      },
      { id: 'b', name: 'B', rdns: 7, image_id: null, chains: 'eip155:1' },
    ],
    [
      { id: 'a', name: 'A', rdns: 'io.a', image_id: 'i', chains: ['eip155:1'], desktop_link: 'a://' },
      { id: 'b', name: 'B' },
    ],
  ],
  [
    'an entry without an ID or a name is dropped',
    [{ name: 'A' }, { id: 'b' }, { id: '', name: 'C' }, { id: 'd', name: 'D' }],
    [{ id: 'd', name: 'D' }],
  ],
  [
    'at most two entries are kept',
    ['a', 'b', 'c'].map((id) => ({ id, name: id })),
    [
      { id: 'a', name: 'a' },
      { id: 'b', name: 'b' },
    ],
  ],
  ['a record that is not a list is read as empty', { id: 'a', name: 'A' }, []],
])('stored recent wallets are validated: %s [R3.11]', async (_, stored, recent) => {
  const { latchkey } = await openPage({}, { stored: { '@latchkey/recent_wallets': JSON.stringify(stored) } })
  expect(latchkey.state.get().wallets.recent).toEqual(recent)
})

describe('connectors', () => {
  test('connectors are identical if their ID, name and namespace match [R3.12]', async () => {
    const connectors = withConnector([], info({}))
    expect(withConnector(connectors, info({}))).toHaveLength(1)
    expect(withConnector(connectors, info({ namespace: 'solana' }))).toHaveLength(2)
  })

  test('connectors are found by ID and namespace, and a filter limits which ones are shown [R3.12]', async () => {
    const solanaWallet = fakeConnector({ namespace: 'solana', id: 's', name: 'S' })
    const { latchkey } = await openPage({
      adapters: [
        fakeAdapter({ wallets: [fakeConnector({ id: 'e', name: 'E' })] }),
        fakeAdapter({ namespace: 'solana', wallets: [solanaWallet] }),
      ],
    })
    expect(latchkey.connector('s', 'solana')).toBe(solanaWallet)
    expect(latchkey.connector('s', 'eip155')).toBeUndefined()
    latchkey.modal.open({ namespace: 'solana' })
    expect(latchkey.shown().map(({ id }) => id)).toEqual(['s'])
    expect(latchkey.state.get().networks.namespace).toBe('solana')
  })

  test.each(connectorIds)('the ID %s is recognized [R3.13]', (id) => {
    const listed = shown([info({ id, name: id })]).map((connector) => connector.id)
    // A connector's older ID is accepted, but not listed in addition to the newer ID.
    expect(listed).toEqual(id === 'coinbaseWalletSDK' ? [] : [id])
  })

  test('a connector of type MULTI_CHAIN cannot be registered, because the type is only for display [R3.14]', async () => {
    expect(withConnector([], info({ type: 'MULTI_CHAIN' }))).toEqual([])
  })

  test.each([
    ['AUTH', 'email'],
    ['ID_AUTH', 'email'],
    ['WALLET_CONNECT', 'qrcode'],
    ['EXTERNAL', 'external'],
    ['ANNOUNCED', 'browser'],
    ['INJECTED', 'browser'],
  ] as const)(
    'analytics report a connection through a connector of type %s with the method %s [R3.14]',
    async (type, method) => {
      const server = fakeFetch({ '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }), '/e': () => ({}) })
      const wallet = fakeConnector({ id: 'w', name: 'W', type })
      const { latchkey, clock } = await openPage(
        { server: 'https://connect.example', projectId: 'p' },
        { wallet, server },
      )
      latchkey.modal.open()
      await latchkey.connect({ connectorId: 'w' })
      await clock.pass(100)
      const events = server.to('/e').map(({ body }) => (body as { props: object }).props)
      expect(events).toContainEqual(
        expect.objectContaining({
          event: 'CONNECT_SUCCESS',
          properties: expect.objectContaining({ method, name: 'W' }),
        }),
      )
    },
  )

  test.each(['WALLET_CONNECT', 'AUTH'] as const)(
    'disconnecting a wallet of type %s disconnects every chain family, because the families share a connection [R3.14]',
    async (type) => {
      const families = (['eip155', 'solana'] as const).map((namespace) =>
        fakeAdapter({ namespace, wallets: [fakeConnector({ namespace, id: 'w', name: 'W', type })] }),
      )
      const { latchkey } = await openPage({ adapters: families })
      await latchkey.connect({ connectorId: 'w', namespace: 'eip155' })
      await latchkey.connect({ connectorId: 'w', namespace: 'solana' })
      await latchkey.disconnect({ namespace: 'solana' })
      expect([latchkey.account('eip155').status, latchkey.account('solana').status]).toEqual([
        'disconnected',
        'disconnected',
      ])
    },
  )

  test.each(['ANNOUNCED', 'INJECTED', 'EXTERNAL', 'ID_AUTH'] as const)(
    'disconnecting a wallet of type %s from one family keeps the other family connected [R3.14]',
    async (type) => {
      const families = (['eip155', 'solana'] as const).map((namespace) =>
        fakeAdapter({ namespace, wallets: [fakeConnector({ namespace, id: 'w', name: 'W', type })] }),
      )
      const { latchkey } = await openPage({ adapters: families })
      await latchkey.connect({ connectorId: 'w', namespace: 'eip155' })
      await latchkey.connect({ connectorId: 'w', namespace: 'solana' })
      await latchkey.disconnect({ namespace: 'solana' })
      expect([latchkey.account('eip155').status, latchkey.account('solana').status]).toEqual([
        'connected',
        'disconnected',
      ])
    },
  )

  test.each([
    ['AUTH', { mobile: false }, []],
    ['AUTH', { mobile: true }, []],
    ['WALLET_CONNECT', { mobile: false, directory: true }, ['w']],
    ['WALLET_CONNECT', { mobile: true, directory: false }, ['w']],
    ['WALLET_CONNECT', { mobile: true, directory: true }, []],
    ['EXTERNAL', { mobile: true, directory: true }, ['w']],
    ['ANNOUNCED', { mobile: true, directory: true }, ['w']],
    ['INJECTED', { mobile: true, directory: true }, ['w']],
  ] as const)('a connector of type %s, on a page with %o, is listed as %o [R3.14]', (type, device, listed) => {
    expect(shown([info({ id: 'w', name: 'W', type })], device).map(({ id }) => id)).toEqual(listed)
  })

  test.each([
    ['AUTH', ['email', 'social', 'wallet']],
    ['ANNOUNCED', ['wallet']],
  ] as const)('a connector of type %s offers %o [R3.14]', async (type, methods) => {
    const { latchkey } = await openPage({}, { wallet: fakeConnector({ id: 'w', name: 'W', type }) })
    expect(latchkey.connectMethods()).toEqual(methods)
  })

  test('a wallet that supports two families is one MULTI_CHAIN row, which lets the user choose the family [R3.14]', async () => {
    const evm = fakeConnector({ id: 'w-evm', name: 'W' })
    const sol = fakeConnector({ namespace: 'solana', id: 'w-solana', name: 'W', type: 'EXTERNAL' })
    const { latchkey } = await openPage({
      adapters: [fakeAdapter({ wallets: [evm] }), fakeAdapter({ namespace: 'solana', wallets: [sol] })],
    })
    const [row, ...others] = latchkey.shown()
    expect(others).toEqual([])
    expect(row).toMatchObject({ id: 'w-evm', name: 'W', type: 'MULTI_CHAIN' })
    expect(row?.members.map(({ id, type, namespace }) => [id, type, namespace])).toEqual([
      ['w-evm', 'ANNOUNCED', 'eip155'],
      ['w-solana', 'EXTERNAL', 'solana'],
    ])
    latchkey.modal.open()
    if (row) latchkey.pickWallet(row)
    expect(latchkey.state.get().modal.stack.at(-1)).toEqual({ view: 'ConnectingMultiChain', data: { name: 'W' } })
    latchkey.modal.open({ namespace: 'solana' })
    expect(latchkey.shown().map(({ id, type }) => [id, type])).toEqual([['w-solana', 'EXTERNAL']])
    expect(latchkey.state.get().wallets.connectors.map(({ type }) => type)).not.toContain('MULTI_CHAIN')
  })

  test('a wallet that supports three chain families is one row [R3.12] [R3.14]', async () => {
    const rows = mergeByName(
      (['eip155', 'solana', 'bip122'] as const).map((namespace) => info({ id: namespace, name: 'Phantom', namespace })),
    )
    expect(rows).toMatchObject([{ type: 'MULTI_CHAIN', id: 'eip155', namespace: 'eip155' }])
    expect(rows[0]?.members).toHaveLength(3)
  })

  test('Trust Wallet and Trust are merged, duplicate names on a chain are removed, and unnamed wallets are hidden [R3.12]', async () => {
    const trust = mergeByName([info({ name: 'Trust Wallet' }), info({ id: 'b', name: 'Trust', namespace: 'solana' })])
    expect(trust).toMatchObject([{ type: 'MULTI_CHAIN', name: 'Trust Wallet' }])
    expect(mergeByName([info({}), info({ id: 'b' })])).toMatchObject([{ id: 'a', type: 'ANNOUNCED' }])
    expect(shown([info({ name: '' })])).toEqual([])
  })

  test('the embedded wallet keeps the type AUTH when it supports several families [R3.14]', async () => {
    const auth = info({ id: 'ID_AUTH', name: 'Auth', type: 'AUTH' })
    expect(mergeByName([auth, { ...auth, namespace: 'solana' }])).toMatchObject([{ type: 'AUTH' }])
  })

  test('on a desktop, an unnamed injected wallet is hidden unless it is the only wallet [R3.14]', async () => {
    const nameless = info({ id: 'injected', name: 'Browser Wallet', type: 'INJECTED' })
    const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)
    expect(names(shown([nameless, info({})]))).toEqual(['A'])
    expect(names(shown([nameless]))).toEqual(['Browser Wallet'])
    expect(names(shown([nameless, info({ namespace: 'solana' })]))).toEqual(['Browser Wallet', 'A'])
    expect(names(shown([nameless, info({})], { mobile: true }))).toEqual(['Browser Wallet', 'A'])
  })

  test('wallets can be excluded by rdns or by case-insensitive name [R3.12]', async () => {
    const list = [info({ name: 'metamask' }), info({ id: 'b', name: 'B', rdns: 'io.b' }), info({ id: 'c', name: 'C' })]
    const excluded = [{ name: 'MetaMask' }, { name: 'Other', rdns: 'io.b' }]
    expect(shown(list, { excluded }).map(({ id }) => id)).toEqual(['c'])
  })
})

describe('records in browser storage', () => {
  const storage = memoryStorage()
  const records = createRecords({ storage: () => storage, log: { warn: () => {} } })
  const cases: readonly [string, () => void, string, string, () => unknown, unknown][] = [
    ['the wallet ID', () => records.walletId.set('w'), '@latchkey/wallet_id', 'w', () => records.walletId.get(), 'w'],
    [
      'the wallet name',
      () => records.walletName.set('W'),
      '@latchkey/wallet_name',
      'W',
      () => records.walletName.get(),
      'W',
    ],
    [
      'the active namespace',
      () => records.activeNamespace.set('solana'),
      '@latchkey/active_namespace',
      'solana',
      () => records.activeNamespace.get(),
      'solana',
    ],
    [
      'the active network',
      () => records.activeNetwork.set('eip155:10'),
      '@latchkey/active_caip_network_id',
      'eip155:10',
      () => [records.activeNetwork.get(), records.activeNamespace.get()],
      ['eip155:10', 'eip155'],
    ],
    [
      'a namespace’s connector',
      () => records.connectorId('solana').set('s'),
      '@latchkey/solana:connected_connector_id',
      's',
      () => [records.connectorId('solana').get(), records.connectorId('eip155').get()],
      ['s', undefined],
    ],
    [
      'the social provider',
      () => records.connectedSocial.set('google'),
      '@latchkey/connected_social',
      'google',
      () => records.connectedSocial.get(),
      'google',
    ],
    [
      'the social username',
      () => records.socialUsername.set('ann'),
      '@appkit-wallet/SOCIAL_USERNAME',
      'ann',
      () => records.socialUsername.get(),
      'ann',
    ],
    [
      'the connection status',
      () => records.status.set('connected'),
      '@latchkey/connection_status',
      'connected',
      () => records.status.get(),
      'connected',
    ],
    [
      'the list of connected namespaces without duplicates',
      () => records.connectedNamespaces.set(['eip155', 'solana', 'eip155']),
      '@latchkey/connected_namespaces',
      'eip155,solana',
      () => records.connectedNamespaces.get(),
      ['eip155', 'solana'],
    ],
    [
      'the list of recent wallets',
      () => records.recentWallets.set([{ id: 'a', name: 'A' }]),
      '@latchkey/recent_wallets',
      '[{"id":"a","name":"A"}]',
      () => records.recentWallets.get(),
      [{ id: 'a', name: 'A' }],
    ],
    [
      'the sign-in token',
      () => records.signInToken.set('t'),
      '@latchkey/siwx-auth-token',
      't',
      () => records.signInToken.get(),
      't',
    ],
    [
      'the sign-in nonce token',
      () => records.signInNonce.set('n'),
      '@latchkey/siwx-nonce-token',
      'n',
      () => records.signInNonce.get(),
      'n',
    ],
    [
      'the preferred account type per namespace',
      () => records.accountTypes.set({ eip155: 'eoa' }),
      '@latchkey/preferred_account_types',
      '{"eip155":"eoa"}',
      () => records.accountTypes.get(),
      { eip155: 'eoa' },
    ],
    [
      'the list of connections per namespace',
      () =>
        records.connections.set({
          eip155: [{ connectorId: 'c', accounts: [{ address: '0x1' }], caipNetwork: 'eip155:1' }],
        }),
      '@latchkey/connections',
      '{"eip155":[{"connectorId":"c","accounts":[{"address":"0x1"}],"caipNetwork":"eip155:1"}]}',
      () => records.connections.get(),
      { eip155: [{ connectorId: 'c', accounts: [{ address: '0x1' }], caipNetwork: 'eip155:1' }] },
    ],
    [
      'the deep link choice',
      () => records.deepLink.set({ name: 'W', href: 'w://' }),
      'WALLETCONNECT_DEEPLINK_CHOICE',
      '{"href":"w://","name":"W"}',
      () => records.deepLink.get(),
      { href: 'w://', name: 'W' },
    ],
    [
      'the flag that an email was used',
      () => records.emailUsed.set('true'),
      '@appkit-wallet/EMAIL_LOGIN_USED_KEY',
      'true',
      () => records.emailUsed.get(),
      'true',
    ],
    [
      'the email address',
      () => records.email.set('a@b.example'),
      '@appkit-wallet/EMAIL',
      'a@b.example',
      () => records.email.get(),
      'a@b.example',
    ],
    [
      'the last chain',
      () => records.lastChain.set('1'),
      '@appkit-wallet/LAST_USED_CHAIN_KEY',
      '1',
      () => records.lastChain.get(),
      '1',
    ],
  ]
  test.each(cases)('%s is stored and read back [R3.17]', (_, write, key, raw, readBack, value) => {
    write()
    expect(storage.all()[key]).toBe(raw)
    expect(readBack()).toEqual(value)
  })

  test.each(cases)('%s is missing before it is stored and after it is cleared [R3.17]', (_, write, key) => {
    const before = { ...storage.all() }
    for (const name of Object.keys(before)) storage.removeItem(name)
    const all = [...Object.values(records), records.connectorId('solana')].filter((record) => 'key' in record)
    const record = all.find((entry) => entry.key === key)
    expect(record?.get()).toBeUndefined()
    write()
    expect(record?.get()).toBeDefined()
    record?.clear()
    expect(storage.all()).not.toHaveProperty([key])
    expect(record?.get()).toBeUndefined()
  })

  test('invalid stored values are read as missing [R3.17]', async () => {
    const broken = memoryStorage({
      '@latchkey/active_namespace': 'doge',
      '@latchkey/active_caip_network_id': 'eip155',
      '@latchkey/connection_status': 'connecting',
      '@latchkey/connections': '{',
      '@latchkey/recent_wallets': '[1,{"id":"a"},{"id":"b","name":"B","evil":true}]',
      '@latchkey/preferred_account_types': '{"__proto__":{"x":1},"eip155":5}',
      '@latchkey/connected_namespaces': '',
      WALLETCONNECT_DEEPLINK_CHOICE: '{"href":1}',
    })
    const read = createRecords({ storage: () => broken, log: { warn: () => {} } })
    expect(read.activeNamespace.get()).toBeUndefined()
    expect(read.activeNetwork.get()).toBeUndefined()
    expect(read.status.get()).toBeUndefined()
    expect(read.connections.get()).toBeUndefined()
    expect(read.recentWallets.get()).toEqual([{ id: 'b', name: 'B' }])
    expect(read.accountTypes.get()).toEqual({})
    expect(read.connectedNamespaces.get()).toBeUndefined()
    expect(read.deepLink.get()).toBeUndefined()
  })

  test('connecting stores the values needed after a reload, each under its own key [R3.17]', async () => {
    const wallet = fakeConnector({ id: 'io.a', name: 'A', rdns: 'io.a', imageId: 'i', addresses: ['0xaa'] })
    const { latchkey, storage: recordStorage } = await openPage({}, { wallet })
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.switchNetwork('eip155:10')
    expect(recordStorage.all()).toMatchObject({
      '@latchkey/wallet_id': 'io.a',
      '@latchkey/wallet_name': 'A',
      '@latchkey/active_namespace': 'eip155',
      '@latchkey/active_caip_network_id': 'eip155:10',
      '@latchkey/eip155:connected_connector_id': 'io.a',
      '@latchkey/connection_status': 'connected',
      '@latchkey/connected_namespaces': 'eip155',
      '@latchkey/recent_wallets': JSON.stringify([{ id: 'io.a', name: 'A', rdns: 'io.a', image_id: 'i' }]),
      '@latchkey/connections': JSON.stringify({
        eip155: [{ connectorId: 'io.a', accounts: [{ address: '0xaa' }], caipNetwork: 'eip155:10' }],
      }),
    })
    await latchkey.disconnect()
    expect(recordStorage.all()).toMatchObject({ '@latchkey/connection_status': 'disconnected' })
    expect(Object.keys(recordStorage.all())).not.toContain('@latchkey/eip155:connected_connector_id')
    expect(Object.keys(recordStorage.all())).not.toContain('@latchkey/connected_namespaces')
  })

  test('connecting a second family adds it to the records, and disconnecting it keeps the first family [R3.17]', async () => {
    const evm = fakeConnector({ id: 'e', rdns: 'e', name: 'E', addresses: ['0xaa'] })
    const sol = fakeConnector({ namespace: 'solana', id: 's', name: 'S', addresses: ['Sol1'] })
    const { latchkey, storage: recordStorage } = await openPage({
      adapters: [fakeAdapter({ wallets: [evm] }), fakeAdapter({ namespace: 'solana', wallets: [sol] })],
    })
    await latchkey.connect({ connectorId: 's' })
    await latchkey.connect({ connectorId: 'e' })
    await latchkey.connect({ connectorId: 's' })
    const connections = (solanaOnes: readonly object[]) =>
      JSON.stringify({
        solana: solanaOnes,
        eip155: [{ connectorId: 'e', accounts: [{ address: '0xaa' }], caipNetwork: 'eip155:1' }],
      })
    expect(recordStorage.all()).toMatchObject({
      '@latchkey/wallet_id': 's',
      '@latchkey/wallet_name': 'S',
      '@latchkey/active_namespace': 'solana',
      '@latchkey/active_caip_network_id': 'solana:1',
      '@latchkey/eip155:connected_connector_id': 'e',
      '@latchkey/solana:connected_connector_id': 's',
      '@latchkey/connection_status': 'connected',
      '@latchkey/connected_namespaces': 'solana,eip155',
      '@latchkey/connections': connections([
        { connectorId: 's', accounts: [{ address: 'Sol1' }], caipNetwork: 'solana:1' },
      ]),
    })
    await latchkey.disconnect({ namespace: 'solana' })
    expect(recordStorage.all()).toMatchObject({
      '@latchkey/eip155:connected_connector_id': 'e',
      '@latchkey/connection_status': 'connected',
      '@latchkey/connected_namespaces': 'eip155',
      '@latchkey/connections': connections([]),
    })
    expect(recordStorage.all()).not.toHaveProperty(['@latchkey/solana:connected_connector_id'])
  })

  test('the stored values are updated when the wallet switches accounts or networks, or ends the session [R3.17]', async () => {
    const wallet = fakeConnector({ id: 'io.a', addresses: ['0xaa'] })
    const { latchkey, storage: recordStorage } = await openPage({}, { wallet })
    await latchkey.connect({ connectorId: 'io.a' })
    wallet.sessions[0]?.change({ accounts: ['0xbb', '0xBB'], chain: 'eip155:10' })
    expect(recordStorage.all()).toMatchObject({
      '@latchkey/active_caip_network_id': 'eip155:10',
      '@latchkey/connections': JSON.stringify({
        eip155: [{ connectorId: 'io.a', accounts: [{ address: '0xBB' }], caipNetwork: 'eip155:10' }],
      }),
    })
    wallet.sessions[0]?.leave()
    expect(recordStorage.all()).toMatchObject({
      '@latchkey/connection_status': 'disconnected',
      '@latchkey/connections': '{"eip155":[]}',
    })
    expect(recordStorage.all()).not.toHaveProperty(['@latchkey/eip155:connected_connector_id'])
    expect(recordStorage.all()).not.toHaveProperty(['@latchkey/connected_namespaces'])
  })

  test('the stored wallet ID is the directory ID if the wallet has one, including after a pairing [R3.17]', async () => {
    const listed = fakeConnector({ id: 'io.b', name: 'B', explorerId: 'directory-b' })
    const phone = fakeConnector({ id: 'walletConnect', name: 'WalletConnect', type: 'WALLET_CONNECT' })
    const remote: MultichainConnector = {
      id: 'walletConnect',
      connectorFor: () => phone,
      pairing: async () => ({
        pair: async () => ({
          namespaces: ['eip155'],
          wallet: { name: 'Pocket Wallet', url: 'https://pocket.example' },
          signed: [],
          async disconnect() {},
        }),
      }),
    }
    const page = await openPage({ adapters: [fakeAdapter({ wallets: [listed] })], wallets: [remote] })
    const stored = () => [page.storage.all()['@latchkey/wallet_id'], page.storage.all()['@latchkey/wallet_name']]
    await page.latchkey.connect({ connectorId: 'io.b' })
    expect(stored()).toEqual(['directory-b', 'B'])
    const pairing = await page.latchkey.pairing()
    pairing?.look({ wallet: { id: 'pocket', name: 'Pocket', mobile_link: 'pocket://' }, by: 'qrcode' })
    await page.clock.pass(0)
    expect(stored()).toEqual(['pocket', 'Pocket'])
    const { deepLink } = await page.latchkey.storage()
    deepLink.set({ href: 'pocket://', name: 'Pocket' })
    // The deep link is only needed while a wallet app is connected.
    await page.latchkey.disconnect()
    expect(page.storage.all()).not.toHaveProperty('WALLETCONNECT_DEEPLINK_CHOICE')
  })

  test.each([
    ['the stored network', { active_caip_network_id: 'eip155:10', active_namespace: 'eip155' }, 'eip155:10'],
    ['a stored network outside the default family', { active_caip_network_id: 'solana:10' }, 'solana:10'],
    ['the first network in the stored family', { active_namespace: 'solana' }, 'solana:1'],
    ['its first network if the stored family has no adapter', { active_caip_network_id: 'cosmos:hub-4' }, 'eip155:1'],
    ['its first network if nothing is stored', {}, 'eip155:1'],
  ])('the page starts on %s [R3.17]', async (_, stored, active) => {
    const entries = Object.entries(stored).map(([name, value]) => [`@latchkey/${name}`, value])
    const { latchkey } = await openPage(
      { adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })] },
      { stored: Object.fromEntries(entries) },
    )
    expect(latchkey.state.get().networks).toMatchObject({ active, namespace: active.split(':')[0] })
  })

  test('if reconnect is false, the stored connection is removed but the recent wallets and the network are kept [R3.17]', async () => {
    const stored = {
      '@latchkey/connection_status': 'connected',
      '@latchkey/connected_namespaces': 'eip155',
      '@latchkey/active_caip_network_id': 'eip155:10',
      '@latchkey/eip155:connected_connector_id': 'io.example',
      '@latchkey/recent_wallets': '[{"id":"a","name":"A"}]',
    }
    const { latchkey, storage: recordStorage, wallet } = await openPage({ reconnect: false }, { stored })
    expect(recordStorage.all()).toEqual({
      '@latchkey/connection_status': 'disconnected',
      '@latchkey/active_caip_network_id': 'eip155:10',
      '@latchkey/recent_wallets': '[{"id":"a","name":"A"}]',
    })
    expect([latchkey.account().status, wallet.connectCalls]).toEqual(['disconnected', []])
  })

  test('only the statuses connected and disconnected are stored [R3.17]', async () => {
    let answer = () => {}
    const wallet = fakeConnector({ waits: new Promise<void>((resolve) => (answer = resolve)) })
    const { latchkey, storage: recordStorage, clock } = await openPage({}, { wallet })
    const connects = latchkey.connect({ connectorId: wallet.id })
    expect(latchkey.account().status).toBe('connecting')
    expect(recordStorage.all()['@latchkey/connection_status']).toBeUndefined()
    answer()
    await connects
    expect(recordStorage.all()['@latchkey/connection_status']).toBe('connected')
    await latchkey.disconnect()
    await clock.pass(0)
    expect(recordStorage.all()['@latchkey/connection_status']).toBe('disconnected')
    expect(recordStorage.all()['@latchkey/connected_namespaces']).toBeUndefined()
    expect(recordStorage.all()['@latchkey/eip155:connected_connector_id']).toBeUndefined()
  })

  test('the keys of a second instance include its ID after the prefix [R3.17] [R3.19]', async () => {
    const two = memoryStorage()
    createRecords({ storage: () => two, log: { warn: () => {} }, id: 'shop' }).walletId.set('w')
    expect(two.all()).toEqual({ '@latchkey/shop/wallet_id': 'w' })
  })

  test('the embedded wallet stores a version with its records, including in a second instance [R3.19]', () => {
    const two = memoryStorage()
    const own = createRecords({ storage: () => two, log: { warn: () => {} }, id: 'shop' })
    own.email.clear()
    expect(two.all()).toEqual({})
    own.email.set('a@b.example')
    expect(two.all()).toEqual({
      '@appkit-wallet/shop/STORAGE_VERSION': '1',
      '@appkit-wallet/shop/EMAIL': 'a@b.example',
    })
  })

  test.each<[name: string, record: keyof StorageSchema, value: unknown, raw: string]>([
    ['EMAIL_LOGIN_USED_KEY', 'emailUsed', 'true', 'true'],
    ['EMAIL', 'email', 'a@b.example', 'a@b.example'],
    ['LAST_USED_CHAIN_KEY', 'lastChain', '1', '1'],
    ['SOCIAL_USERNAME', 'socialUsername', 'ann', 'ann'],
    ['LAST_EMAIL_LOGIN_TIME', 'lastEmailLoginTime', 5, '5'],
    ['SMART_ACCOUNT_ENABLED_NETWORKS', 'smartAccountNetworks', ['1', '137'], '1,137'],
  ])(
    'the record %s is stored with the prefix and version 1, but is empty and read-only if the version is higher [R3.19]',
    (name, record, value, raw) => {
      const key = `@appkit-wallet/${name}`
      const version = '@appkit-wallet/STORAGE_VERSION'
      const at = (entries: Record<string, string>) => {
        const recordStorage = memoryStorage(entries)
        const own = createRecords({ storage: () => recordStorage, log: { warn: () => {} } })
        return { recordStorage, own: own[record] as StorageEntry<unknown> }
      }
      const fresh = at({})
      fresh.own.set(value)
      expect(fresh.recordStorage.all()).toEqual({ [version]: '1', [key]: raw })
      expect(fresh.own.get()).toEqual(value)

      const same = at({ [version]: '1', [key]: raw })
      expect(same.own.get()).toEqual(value)

      for (const earlier of ['0', 'nonsense']) {
        const raised = at({ [version]: earlier, [key]: raw })
        expect(raised.own.get()).toEqual(value)
        raised.own.set(value)
        expect(raised.recordStorage.all()).toEqual({ [version]: '1', [key]: raw })
      }

      const later = at({ [version]: '2', [key]: raw })
      expect(later.own.get()).toBeUndefined()
      later.own.set(value)
      later.own.clear()
      expect(later.recordStorage.all()).toEqual({ [version]: '2', [key]: raw })
    },
  )

  test('each instance has its own version, which does not affect any other instance [R3.19]', () => {
    const recordStorage = memoryStorage({
      '@appkit-wallet/STORAGE_VERSION': '2',
      '@appkit-wallet/shop/EMAIL': 'a@b.example',
    })
    const own = createRecords({ storage: () => recordStorage, log: { warn: () => {} }, id: 'shop' })
    expect(own.email.get()).toBe('a@b.example')
  })

  test('records with a later version are left unchanged and read as empty [R3.19]', () => {
    const later = {
      '@appkit-wallet/STORAGE_VERSION': '2',
      '@appkit-wallet/EMAIL': 'a@b.example',
      '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
    }
    const recordStorage = memoryStorage(later)
    const own = createRecords({ storage: () => recordStorage, log: { warn: () => {} } })
    expect(own.email.get()).toBeUndefined()
    expect(own.emailUsed.get()).toBeUndefined()
    own.email.set('c@d.example')
    own.lastEmailLoginTime.set(1)
    own.emailUsed.clear()
    expect(recordStorage.all()).toEqual(later)
  })

  test('users of an earlier modal stay connected, because its records are migrated once [R3.17]', async () => {
    const earlier = {
      '@appkit/connection_status': 'connected',
      '@appkit/active_caip_network_id': 'eip155:10',
      '@appkit/eip155:connected_connector_id': 'io.example',
      '@appkit/connections': JSON.stringify({
        eip155: [
          { connectorId: 'io.example', accounts: [{ address: '0xab' }], caipNetwork: { caipNetworkId: 'eip155:10' } },
        ],
      }),
    }
    let answer = () => {}
    const waits = new Promise<void>((resolve) => {
      answer = resolve
    })
    const wallet = fakeConnector({ id: 'io.example', waits })
    const { latchkey, storage: recordStorage, clock } = await openPage({}, { stored: earlier, wallet })
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', account: 'eip155:10:0xab' })
    answer()
    await clock.pass(0)
    expect(latchkey.account().status).toBe('connected')
    await latchkey.disconnect()
    const again = await openPage({}, { stored: { ...recordStorage.all() } })
    await again.clock.pass(0)
    expect(again.latchkey.account().status).toBe('disconnected')
  })
})

describe('caches keyed by address', () => {
  const clock = fakeClock(5000)
  const storage = memoryStorage()
  const caches = createCaches({ storage: () => storage, clock, log: { warn: () => {} } })
  const raw = (name: string): unknown => JSON.parse(storage.all()[`@latchkey/${name}`] ?? 'null')

  test('a portfolio is stored with its address and a timestamp, and read back [R3.18]', async () => {
    caches.portfolio.set('eip155:1:0x1', { balances: [{ name: 'Coin' }] })
    expect(raw('portfolio_cache')).toEqual({
      'eip155:1:0x1': { caipAddress: 'eip155:1:0x1', balance: { balances: [{ name: 'Coin' }] }, timestamp: 5000 },
    })
    expect(caches.portfolio.get('eip155:1:0x1')).toEqual({ balances: [{ name: 'Coin' }] })
  })

  test('a native balance and its symbol are stored with the address and a timestamp, and read back [R3.18]', async () => {
    caches.nativeBalance.set('eip155:1:0x1', { balance: '1.5', symbol: 'ETH' })
    expect(raw('native_balance_cache')).toEqual({
      'eip155:1:0x1': { caipAddress: 'eip155:1:0x1', balance: '1.5', symbol: 'ETH', timestamp: 5000 },
    })
    expect(caches.nativeBalance.get('eip155:1:0x1')).toEqual({ balance: '1.5', symbol: 'ETH' })
  })

  test('ENS names are stored with their address and a timestamp, and read back [R3.18]', async () => {
    caches.ens.set('0x1', ['ann.eth'])
    expect(raw('ens_cache')).toEqual({ '0x1': { address: '0x1', ens: ['ann.eth'], timestamp: 5000 } })
    expect(caches.ens.get('0x1')).toEqual(['ann.eth'])
  })

  test('an identity is stored with its address and a timestamp, and read back [R3.18]', async () => {
    caches.identity.set('0x1', { name: 'ann.eth' })
    expect(raw('identity_cache')).toEqual({ '0x1': { address: '0x1', identity: { name: 'ann.eth' }, timestamp: 5000 } })
    expect(caches.identity.get('0x1')).toEqual({ name: 'ann.eth' })
  })

  test('tokens, balance, names and identity of an account are kept in the four caches, and shown from them after a reload [R3.18]', async () => {
    const answers = {
      '/v1/supported-chains': () => ({ http: ['eip155:1'], ws: [] }),
      '/v1/account': () => ({
        balances: [
          {
            name: 'Coin',
            symbol: 'COIN',
            chainId: 'eip155:1',
            address: `eip155:1:0x${'2'.repeat(40)}`,
            price: 2,
            quantity: { decimals: '6', numeric: '1.5' },
            iconUrl: '',
          },
        ],
      }),
      '/v1/profile/reverse': () => [
        {
          name: 'ann.shop.example',
          registered_at: '2026-01-01T00:00:00Z',
          updated_at: null,
          attributes: null,
          addresses: {},
        },
      ],
      '/v1/identity': () => ({ name: 'ann.eth', avatar: null, resolvedAt: null }),
    }
    const address = '0x1111111111111111111111111111111111111111'
    const account = `eip155:1:${address}`
    const page = async (stored?: Record<string, string>) => {
      const server = fakeFetch(answers)
      const wallet = fakeConnector({ id: 'io.example' })
      const evm = fakeAdapter({ wallets: [wallet], balance: () => ({ value: 5n, decimals: 18, symbol: 'ETH' }) })
      const options = { adapters: [evm], server: 'https://connect.example', projectId: 'p' }
      const opened = await openPage(options, { server, wallet, ...(stored && { stored }) })
      const read = async () => {
        await (await opened.latchkey.portfolio())?.refresh()
        const names = await (await opened.latchkey.names())?.reverse(address)
        await opened.latchkey.refresh()
        return { tokens: (await opened.latchkey.portfolio())?.state.get().tokens.value, names }
      }
      return { ...opened, evm, server, read }
    }
    const first = await page()
    await first.connect()
    const shown = await first.read()
    expect(shown).toMatchObject({
      tokens: [{ symbol: 'COIN', amount: 1_500_000n, fiat: '3' }],
      names: ['ann.shop.example'],
    })
    const kept = (name: string) => JSON.parse(first.storage.all()[`@latchkey/${name}`] ?? 'null')
    const timestamp = expect.any(Number)
    expect(kept('portfolio_cache')).toEqual({
      [account]: {
        caipAddress: account,
        balance: { balances: [expect.objectContaining({ symbol: 'COIN' })] },
        timestamp,
      },
    })
    expect(kept('native_balance_cache')).toEqual({
      [account]: { caipAddress: account, balance: '0.000000000000000005', symbol: 'ETH', timestamp },
    })
    expect(kept('ens_cache')).toEqual({ [address]: { address, ens: ['ann.shop.example'], timestamp } })
    expect(kept('identity_cache')).toEqual({ [address]: { address, identity: { name: 'ann.eth' }, timestamp } })

    const next = await page({ ...first.storage.all() })
    await next.clock.pass(0)
    expect(await next.read()).toEqual(shown)
    expect(next.latchkey.state.get().account.identity).toEqual({ status: 'ready', value: { name: 'ann.eth' } })
    expect(next.server.calls.map(({ url }) => url.pathname)).toEqual([])
    expect(next.evm.reads).toEqual([])
  })
})
