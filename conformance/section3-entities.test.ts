import { describe, expect, test } from 'vitest'
import type { MultichainConnector } from '../packages/core/src/adapter.ts'
import type { ConnectorInfo } from '../packages/core/src/index.ts'
import {
  bitcoin,
  bitcoinTestnet,
  solana,
  solanaDevnet,
  solanaTestnet,
} from '../packages/core/src/networks/predefinedNetworks.ts'
import '../packages/core/src/pairing/createPairing.ts'
import { createCaches } from '../packages/core/src/storage/caches.ts'
import { createRecords } from '../packages/core/src/storage/storage.ts'
import { fakeAdapter, fakeClock, fakeConnector, fakeFetch, memoryStorage } from '../packages/core/src/testing/index.ts'
import { groupConnectors, mergeByName, withConnector } from '../packages/core/src/wallets/connectorGroups.ts'
import { connectorIds } from '../packages/protocol/src/constants.ts'
import { wallet } from '../packages/protocol/src/http/contract.ts'
import { read } from '../packages/protocol/src/schemas.ts'
import { openPage } from './page.ts'

const info = (change: Partial<ConnectorInfo>): ConnectorInfo => ({
  id: 'a',
  name: 'A',
  type: 'ANNOUNCED',
  namespace: 'eip155',
  ...change,
})
const shown = (connectors: readonly ConnectorInfo[], change: object = {}) =>
  groupConnectors({ connectors, filter: undefined, excluded: [], mobile: false, ...change })

test('a directory wallet has its fields [R3.2]', async () => {
  const parsed = read(wallet, {
    id: 'w',
    name: 'W',
    image_id: 'i',
    rdns: 'io.w',
    chains: ['eip155:1'],
    mobile_link: 'w://',
    desktop_link: 'w://',
    webapp_link: 'https://w.example',
  })
  expect(parsed).toMatchObject({ id: 'w', image_id: 'i', rdns: 'io.w', mobile_link: 'w://' })
})

test('the predefined networks are complete [R3.3]', async () => {
  for (const network of [solana, solanaDevnet, solanaTestnet]) {
    expect(network).toMatchObject({ chainNamespace: 'solana', nativeCurrency: { symbol: 'SOL', decimals: 9 } })
  }
  for (const network of [bitcoin, bitcoinTestnet]) {
    expect(network).toMatchObject({ chainNamespace: 'bip122', nativeCurrency: { symbol: 'BTC', decimals: 8 } })
  }
  for (const network of [solana, solanaDevnet, solanaTestnet, bitcoin, bitcoinTestnet]) {
    expect(network.caipNetworkId).toBe(`${network.chainNamespace}:${network.id}`)
    expect(network.name && network.network && network.assets?.imageId && network.rpcUrls.default?.http[0]).toBeTruthy()
    expect(network.blockExplorers?.default?.url).toMatch(/^https:/)
    expect(typeof network.testnet).toBe('boolean')
  }
})

test('the account has namespace, address, status, chain and all accounts, plus balance and name [R3.4]', async () => {
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

test('a recent wallet has id, name, rdns and image; two are stored, newest first [R3.11] [R9.15]', async () => {
  const wallets = ['a', 'b', 'c'].map((id) =>
    fakeConnector({ id: `io.${id}`, rdns: `io.${id}`, name: id, imageId: `picture-${id}` }),
  )
  const { latchkey } = await openPage({ adapters: [fakeAdapter({ wallets })] })
  for (const { id } of wallets) await latchkey.connect({ connectorId: id })
  const kept = [
    { id: 'io.c', name: 'c', rdns: 'io.c', image_id: 'picture-c' },
    { id: 'io.b', name: 'b', rdns: 'io.b', image_id: 'picture-b' },
  ]
  expect(latchkey.state.get().wallets.recent).toEqual(kept)
  await latchkey.connect({ connectorId: 'io.b' })
  expect(latchkey.state.get().wallets.recent).toEqual(kept)
})

test('recent remote wallets and directory wallets are stored by directory ID, with everything needed to find them again [R3.11]', async () => {
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

describe('connectors', () => {
  test('the same id, name and namespace is one connector; a different namespace is a different connector [R3.12]', async () => {
    const one = withConnector([], info({}))
    expect(withConnector(one, info({}))).toHaveLength(1)
    expect(withConnector(one, info({ namespace: 'solana' }))).toHaveLength(2)
  })

  test('connectors are found per namespace, and the filter limits the displayed ones [R3.12]', async () => {
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
    const listed = shown([info({ id, name: id })]).map((each) => each.id)
    // The older of two IDs of a connector is accepted, but never listed next to the newer one.
    expect(listed).toEqual(id === 'coinbaseWalletSDK' ? [] : [id])
  })

  test('MULTI_CHAIN is for display only [R3.14]', async () => {
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
    'a connection with a connector of type %s is reported with the method %s [R3.14]',
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
    'disconnecting a %s wallet disconnects all its chain families, because they share a connection [R3.14]',
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

  test('one wallet on three chains is one row [R3.12] [R3.14]', async () => {
    const rows = mergeByName(
      (['eip155', 'solana', 'bip122'] as const).map((namespace) => info({ id: namespace, name: 'Phantom', namespace })),
    )
    expect(rows).toMatchObject([{ type: 'MULTI_CHAIN', id: 'eip155', namespace: 'eip155' }])
    expect(rows[0]?.members).toHaveLength(3)
  })

  test('Trust Wallet and Trust are one wallet; two with the same name on one chain show the first; unnamed ones are hidden [R3.12]', async () => {
    const trust = mergeByName([info({ name: 'Trust Wallet' }), info({ id: 'b', name: 'Trust', namespace: 'solana' })])
    expect(trust).toMatchObject([{ type: 'MULTI_CHAIN', name: 'Trust Wallet' }])
    expect(mergeByName([info({}), info({ id: 'b' })])).toMatchObject([{ id: 'a', type: 'ANNOUNCED' }])
    expect(shown([info({ name: '' })])).toEqual([])
  })

  test('the embedded wallet keeps AUTH on all its chains [R3.14]', async () => {
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

  test('excluded wallets are hidden by rdns, or by name regardless of case [R3.12]', async () => {
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
      'the connector per namespace',
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
      'the connected namespaces, each once',
      () => records.connectedNamespaces.set(['eip155', 'solana', 'eip155']),
      '@latchkey/connected_namespaces',
      'eip155,solana',
      () => records.connectedNamespaces.get(),
      ['eip155', 'solana'],
    ],
    [
      'the recent wallets',
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
      'the preferred account types',
      () => records.accountTypes.set({ eip155: 'eoa' }),
      '@latchkey/preferred_account_types',
      '{"eip155":"eoa"}',
      () => records.accountTypes.get(),
      { eip155: 'eoa' },
    ],
    [
      'the connections by namespace',
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

  test('stored values are validated: invalid ones are read as missing [R3.17]', async () => {
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

  test('connecting writes what a reload needs, each value under its own key [R3.17]', async () => {
    const wallet = fakeConnector({ id: 'io.a', name: 'A', rdns: 'io.a', imageId: 'i', addresses: ['0xaa'] })
    const { latchkey, storage: kept } = await openPage({}, { wallet })
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.switchNetwork('eip155:10')
    expect(kept.all()).toMatchObject({
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
    expect(kept.all()).toMatchObject({ '@latchkey/connection_status': 'disconnected' })
    expect(Object.keys(kept.all())).not.toContain('@latchkey/eip155:connected_connector_id')
    expect(Object.keys(kept.all())).not.toContain('@latchkey/connected_namespaces')
  })

  test('connecting is never stored: only connected and disconnected are [R3.17]', async () => {
    let answer = () => {}
    const wallet = fakeConnector({ waits: new Promise<void>((resolve) => (answer = resolve)) })
    const { latchkey, storage: kept, clock } = await openPage({}, { wallet })
    const connects = latchkey.connect({ connectorId: wallet.id })
    expect(latchkey.account().status).toBe('connecting')
    expect(kept.all()['@latchkey/connection_status']).toBeUndefined()
    answer()
    await connects
    expect(kept.all()['@latchkey/connection_status']).toBe('connected')
    await latchkey.disconnect()
    await clock.pass(0)
    expect(kept.all()['@latchkey/connection_status']).toBe('disconnected')
    expect(kept.all()['@latchkey/connected_namespaces']).toBeUndefined()
    expect(kept.all()['@latchkey/eip155:connected_connector_id']).toBeUndefined()
  })

  test('a second instance adds its ID after the prefix [R3.17] [R3.19]', async () => {
    const two = memoryStorage()
    createRecords({ storage: () => two, log: { warn: () => {} }, id: 'shop' }).walletId.set('w')
    expect(two.all()).toEqual({ '@latchkey/shop/wallet_id': 'w' })
  })

  test('the web wallet stores its version with its records, including for a second instance [R3.19]', () => {
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

  test('records of a later version are left unchanged and read as empty [R3.19]', () => {
    const later = {
      '@appkit-wallet/STORAGE_VERSION': '2',
      '@appkit-wallet/EMAIL': 'a@b.example',
      '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
    }
    const kept = memoryStorage(later)
    const own = createRecords({ storage: () => kept, log: { warn: () => {} } })
    expect(own.email.get()).toBeUndefined()
    expect(own.emailUsed.get()).toBeUndefined()
    own.email.set('c@d.example')
    own.lastEmailLoginTime.set(1)
    own.emailUsed.clear()
    expect(kept.all()).toEqual(later)
  })

  test('users of an earlier modal stay connected: its records are migrated once [R3.17]', async () => {
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
    const { latchkey, storage: kept, clock } = await openPage({}, { stored: earlier, wallet })
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', account: 'eip155:10:0xab' })
    answer()
    await clock.pass(0)
    expect(latchkey.account().status).toBe('connected')
    await latchkey.disconnect()
    const again = await openPage({}, { stored: { ...kept.all() } })
    await again.clock.pass(0)
    expect(again.latchkey.account().status).toBe('disconnected')
  })
})

describe('caches keyed by address', () => {
  const clock = fakeClock(5000)
  const storage = memoryStorage()
  const caches = createCaches({ storage: () => storage, clock, log: { warn: () => {} } })
  const raw = (name: string): unknown => JSON.parse(storage.all()[`@latchkey/${name}`] ?? 'null')

  test('portfolio [R3.18]', async () => {
    caches.portfolio.set('eip155:1:0x1', { balances: [{ name: 'Coin' }] })
    expect(raw('portfolio_cache')).toEqual({
      'eip155:1:0x1': { caipAddress: 'eip155:1:0x1', balance: { balances: [{ name: 'Coin' }] }, timestamp: 5000 },
    })
    expect(caches.portfolio.get('eip155:1:0x1')).toEqual({ balances: [{ name: 'Coin' }] })
  })

  test('native balance, with balance and symbol [R3.18]', async () => {
    caches.nativeBalance.set('eip155:1:0x1', { balance: '1.5', symbol: 'ETH' })
    expect(raw('native_balance_cache')).toEqual({
      'eip155:1:0x1': { caipAddress: 'eip155:1:0x1', balance: '1.5', symbol: 'ETH', timestamp: 5000 },
    })
    expect(caches.nativeBalance.get('eip155:1:0x1')).toEqual({ balance: '1.5', symbol: 'ETH' })
  })

  test('ens [R3.18]', async () => {
    caches.ens.set('0x1', ['ann.eth'])
    expect(raw('ens_cache')).toEqual({ '0x1': { address: '0x1', ens: ['ann.eth'], timestamp: 5000 } })
    expect(caches.ens.get('0x1')).toEqual(['ann.eth'])
  })

  test('identity [R3.18]', async () => {
    caches.identity.set('0x1', { name: 'ann.eth' })
    expect(raw('identity_cache')).toEqual({ '0x1': { address: '0x1', identity: { name: 'ann.eth' }, timestamp: 5000 } })
    expect(caches.identity.get('0x1')).toEqual({ name: 'ann.eth' })
  })
})
