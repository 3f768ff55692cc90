import { describe, expect, test, vi } from 'vitest'
import { createLatchkey } from '../createLatchkey.ts'
import type { LatchkeyOptions } from '../options.ts'
import {
  type FakeConnector,
  fakeAdapter,
  fakeClock,
  fakeConnector,
  fakeFetch,
  fakeNetwork,
  memoryStorage,
} from '../testing/index.ts'

const solanaAddress = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
const solanaChain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

type AnalyticsBody = { readonly props: { readonly event: string; readonly properties?: object } }
type Wallets = { readonly evm?: readonly FakeConnector[]; readonly solana?: readonly FakeConnector<'solana'>[] }

/** Creates a page with two chain families, and records the analytics events that its operator receives. */
async function page(
  { evm = [], solana = [] }: Wallets,
  { options = {}, stored = {} }: { options?: LatchkeyOptions; stored?: Record<string, string> } = {},
) {
  const clock = fakeClock()
  const storage = memoryStorage(stored)
  const operator = fakeFetch({
    '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
    '/e': () => ({}),
    '/batch': () => ({}),
  })
  const latchkey = createLatchkey({
    adapters: [
      fakeAdapter({ wallets: evm as readonly FakeConnector<'eip155'>[] }),
      fakeAdapter({ namespace: 'solana', networks: [fakeNetwork(solanaChain)], wallets: solana }),
    ],
    server: 'https://connect.example',
    projectId: 'p',
    fetch: operator.fetch,
    clock,
    storage,
    platform: 'desktop',
    logLevel: 'silent',
    ...options,
  })
  const stop = latchkey.start()
  await latchkey.prepare()
  return {
    latchkey,
    stop,
    network: () => latchkey.state.get().networks.active,
    clock,
    storage,
    statuses: () => (['eip155', 'solana'] as const).map((namespace) => latchkey.account(namespace).status),
    /** Returns the events with these names that the operator has received. */
    async analytics(...names: string[]) {
      // No events are sent until the modal opens. If no wallet is connected, opening the modal waits for the directory.
      latchkey.modal.open()
      await clock.pass(5_000)
      await vi.waitFor(() => expect(operator.to('/e')).not.toEqual([]))
      await clock.pass(100)
      return operator
        .to('/e')
        .map(({ body }) => (body as AnalyticsBody).props)
        .filter(({ event }) => names.includes(event))
        .map(({ event, properties }) => [event, properties])
    },
  }
}

const evmWallet = (id = 'io.a', more: Parameters<typeof fakeConnector>[0] = {}) =>
  fakeConnector({ id, name: id, ...more })
const solanaWallet = (id = 'io.s', more: { type?: 'AUTH' | 'WALLET_CONNECT'; waits?: Promise<unknown> } = {}) =>
  fakeConnector({ namespace: 'solana', id, name: id, addresses: [solanaAddress], chain: solanaChain, ...more })

/** The stored state from an earlier visit, with a connected wallet in each chain family. */
const bothStored = {
  '@latchkey/connection_status': 'connected',
  '@latchkey/active_caip_network_id': 'eip155:1',
  '@latchkey/active_namespace': 'eip155',
  '@latchkey/connected_namespaces': 'eip155,solana',
  '@latchkey/eip155:connected_connector_id': 'io.a',
  '@latchkey/solana:connected_connector_id': 'io.s',
  '@latchkey/connections': JSON.stringify({
    eip155: [{ connectorId: 'io.a', accounts: [{ address: '0xab' }], caipNetwork: 'eip155:1' }],
    solana: [{ connectorId: 'io.s', accounts: [{ address: solanaAddress }], caipNetwork: solanaChain }],
  }),
}
const never = new Promise<never>(() => {})

describe('disconnecting', () => {
  test('one chain family leaves the other family connected and stored [R4.3]', async () => {
    const [evm, solana] = [evmWallet(), solanaWallet()]
    const { latchkey, statuses, storage, analytics } = await page({ evm: [evm], solana: [solana] })
    await latchkey.connect({ connectorId: 'io.a', namespace: 'eip155' })
    await latchkey.connect({ connectorId: 'io.s', namespace: 'solana' })
    await latchkey.disconnect({ namespace: 'eip155' })
    expect(statuses()).toEqual(['disconnected', 'connected'])
    expect([evm.sessions[0]?.ended, solana.sessions[0]?.ended]).toEqual([true, false])
    expect(JSON.parse(storage.all()['@latchkey/connections'] ?? '')).toEqual({
      eip155: [],
      solana: [{ connectorId: 'io.s', accounts: [{ address: solanaAddress }], caipNetwork: solanaChain }],
    })
    expect(storage.all()).toMatchObject({ '@latchkey/connected_namespaces': 'solana' })
    expect(storage.all()['@latchkey/eip155:connected_connector_id']).toBeUndefined()
    expect(await analytics('DISCONNECT_SUCCESS')).toMatchObject([['DISCONNECT_SUCCESS', { namespace: 'eip155' }]])
  })

  test('without specifying a namespace disconnects all wallets [R4.3]', async () => {
    const { latchkey, statuses, storage, analytics } = await page({ evm: [evmWallet()], solana: [solanaWallet()] })
    await latchkey.connect({ connectorId: 'io.a', namespace: 'eip155' })
    await latchkey.connect({ connectorId: 'io.s', namespace: 'solana' })
    await latchkey.disconnect()
    expect(statuses()).toEqual(['disconnected', 'disconnected'])
    expect(storage.all()).toMatchObject({ '@latchkey/connection_status': 'disconnected' })
    expect(storage.all()['@latchkey/connected_namespaces']).toBeUndefined()
    expect(await analytics('DISCONNECT_SUCCESS')).toMatchObject([['DISCONNECT_SUCCESS', { namespace: 'all' }]])
  })

  test('one of several wallets in a family removes only that wallet and activates the next wallet', async () => {
    const [first, second] = [evmWallet('io.a', { addresses: ['0xaa'] }), evmWallet('io.b', { addresses: ['0xbb'] })]
    const { latchkey } = await page({ evm: [first, second] }, { options: { multiWallet: true } })
    const events: unknown[] = []
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.connect({ connectorId: 'io.b' })
    latchkey.on('accounts', (event) => events.push(event))
    await latchkey.disconnect({ connectorId: 'io.b' })
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.a', address: '0xaa' })
    expect([first.sessions[0]?.ended, second.sessions[0]?.ended]).toEqual([false, true])
    expect(events).toEqual([{ namespace: 'eip155', accounts: ['eip155:1:0xaa'] }])
  })

  test.each(['WALLET_CONNECT', 'AUTH'] as const)(
    '%s in one family disconnects it in both families, because the two families share its connection',
    async (type) => {
      const [evm, solana] = [evmWallet('one', { type }), solanaWallet('one', { type })]
      const { latchkey, statuses } = await page({ evm: [evm], solana: [solana] })
      await latchkey.connect({ connectorId: 'one', namespace: 'eip155' })
      await latchkey.connect({ connectorId: 'one', namespace: 'solana' })
      await latchkey.disconnect({ namespace: 'solana' })
      expect(statuses()).toEqual(['disconnected', 'disconnected'])
      expect([evm.sessions[0]?.ended, solana.sessions[0]?.ended]).toEqual([true, true])
    },
  )

  test('one family cancels a pending request in that family, but not in the other family [R4.3]', async () => {
    const wallets = { evm: [evmWallet('io.a', { waits: never })], solana: [solanaWallet('io.s', { waits: never })] }
    const { latchkey, statuses } = await page(wallets)
    const evm = latchkey.connect({ connectorId: 'io.a', namespace: 'eip155' }).catch((error: unknown) => error)
    const solana = latchkey.connect({ connectorId: 'io.s', namespace: 'solana' }).catch((error: unknown) => error)
    expect(statuses()).toEqual(['connecting', 'connecting'])
    await latchkey.disconnect({ namespace: 'eip155' })
    expect(await evm).toMatchObject({ code: 'request/aborted' })
    expect(statuses()).toEqual(['disconnected', 'connecting'])
    await latchkey.disconnect({ namespace: 'solana' })
    expect(await solana).toMatchObject({ code: 'request/aborted' })
  })

  test('a specific wallet does not cancel a pending request to a different wallet in its family', async () => {
    let answers = (): void => {}
    const waits = new Promise<void>((resolve) => {
      answers = resolve
    })
    const { latchkey } = await page({ evm: [evmWallet('io.a'), evmWallet('io.b', { waits })] })
    await latchkey.connect({ connectorId: 'io.a' })
    const requests = latchkey.connect({ connectorId: 'io.b' })
    await latchkey.disconnect({ connectorId: 'io.a' })
    answers()
    await requests
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.b' })
  })

  test.each([
    ['a family', { namespace: 'eip155' }],
    ['a wallet', { connectorId: 'io.a' }],
  ] as const)('%s cancels its pending restore, and the other family is still restored', async (_, params) => {
    let answers = (): void => {}
    const waits = new Promise<void>((resolve) => {
      answers = resolve
    })
    const [evm, solana] = [evmWallet('io.a', { waits }), solanaWallet('io.s', { waits })]
    const { latchkey, statuses, clock, storage } = await page({ evm: [evm], solana: [solana] }, { stored: bothStored })
    await clock.pass(0)
    expect(statuses()).toEqual(['reconnecting', 'reconnecting'])
    await latchkey.disconnect(params)
    expect(statuses()).toEqual(['disconnected', 'reconnecting'])
    answers()
    await clock.pass(0)
    expect(statuses()).toEqual(['disconnected', 'connected'])
    expect(JSON.parse(storage.all()['@latchkey/connections'] ?? '')).toMatchObject({ eip155: [], solana: [{}] })
  })

  test('removes a wallet even if it fails to disconnect, and reports the error to the operator [R4.3]', async () => {
    const { latchkey, statuses, analytics } = await page({ evm: [evmWallet('io.a', { endFails: 'it hangs' })] })
    await latchkey.connect({ connectorId: 'io.a' })
    await expect(latchkey.disconnect()).rejects.toMatchObject({ code: 'disconnect/failed' })
    expect(statuses()[0]).toBe('disconnected')
    expect(await analytics('DISCONNECT_ERROR', 'DISCONNECT_SUCCESS')).toMatchObject([
      ['DISCONNECT_ERROR', { message: expect.stringContaining('it hangs') }],
    ])
  })
})

describe('connection events', () => {
  test.each([
    ['WALLET_CONNECT', 'qrcode'],
    ['AUTH', 'email'],
    ['ID_AUTH', 'email'],
    ['EXTERNAL', 'external'],
    ['ANNOUNCED', 'browser'],
    ['INJECTED', 'browser'],
  ] as const)('for a connector of type %s have the method %s', async (type, method) => {
    const { latchkey, analytics } = await page({ evm: [evmWallet('io.a', { type })] })
    await latchkey.connect({ connectorId: 'io.a' })
    expect(await analytics('CONNECT_SUCCESS')).toMatchObject([['CONNECT_SUCCESS', { method, name: 'io.a' }]])
  })

  test('have the reconnect flag if the connection was restored', async () => {
    const { analytics } = await page({ evm: [evmWallet()], solana: [solanaWallet()] }, { stored: bothStored })
    expect(await analytics('CONNECT_SUCCESS')).toMatchObject([
      ['CONNECT_SUCCESS', { method: 'browser', name: 'io.a', reconnect: true }],
      ['CONNECT_SUCCESS', { method: 'browser', name: 'io.s', reconnect: true }],
    ])
  })

  test('include an error if the request was rejected, but not if it was cancelled', async () => {
    const [declines, waits] = [evmWallet('io.a', { rejects: 'user/rejected' }), evmWallet('io.b', { waits: never })]
    const { latchkey, analytics } = await page({ evm: [declines, waits] })
    await expect(latchkey.connect({ connectorId: 'io.a' })).rejects.toMatchObject({ code: 'user/rejected' })
    const controller = new AbortController()
    const requests = latchkey.connect({ connectorId: 'io.b', signal: controller.signal })
    controller.abort()
    await expect(requests).rejects.toMatchObject({ code: 'request/aborted' })
    const events = await analytics('CONNECT_ERROR', 'CONNECT_SUCCESS')
    expect(events).toMatchObject([['CONNECT_ERROR', { message: expect.stringMatching(/\w/) }]])
  })
})

describe('changes in a wallet', () => {
  test('that belongs to an inactive family do not affect the active network or the active account', async () => {
    const [evm, solana] = [evmWallet(), solanaWallet()]
    const { latchkey } = await page({ evm: [evm], solana: [solana] })
    await latchkey.connect({ connectorId: 'io.a', namespace: 'eip155' })
    await latchkey.connect({ connectorId: 'io.s', namespace: 'solana' })
    expect(latchkey.state.get().networks.namespace).toBe('solana')
    const events: unknown[] = []
    latchkey.on('chain', (event) => events.push(event))
    evm.sessions[0]?.change({ chain: 'eip155:10' })
    expect(latchkey.state.get().networks.namespace).toBe('solana')
    expect(latchkey.account('eip155').chain).toBe('eip155:10')
    expect(events).toEqual([{ namespace: 'eip155', chain: 'eip155:10', supported: true }])
  })

  test('that is not active emit no events, even when its session ends', async () => {
    const [first, second] = [evmWallet('io.a', { addresses: ['0xaa'] }), evmWallet('io.b', { addresses: ['0xbb'] })]
    const { latchkey, storage } = await page({ evm: [first, second] }, { options: { multiWallet: true } })
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.connect({ connectorId: 'io.b' })
    const events: string[] = []
    for (const name of ['accounts', 'chain', 'disconnect'] as const) latchkey.on(name, () => events.push(name))
    first.sessions[0]?.change({ accounts: ['0xac'] })
    first.sessions[0]?.change({ chain: 'eip155:10' })
    expect(latchkey.account()).toMatchObject({ connectorId: 'io.b', address: '0xbb', chain: 'eip155:1' })
    first.sessions[0]?.leave()
    expect(events).toEqual([])
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.b' })
    const stored = JSON.parse(storage.all()['@latchkey/connections'] ?? '') as { eip155: { connectorId: string }[] }
    expect(stored.eip155.map(({ connectorId }) => connectorId)).toEqual(['io.b'])
  })

  test('keep the selected account first, even if the order or case of the addresses changes', async () => {
    const wallet = evmWallet('io.a', { addresses: ['0xaa', '0xbb'] })
    const { latchkey } = await page({ evm: [wallet] })
    await latchkey.connect({ connectorId: 'io.a' })
    latchkey.activate({ namespace: 'eip155', connectorId: 'io.a', account: 'eip155:1:0xbb' })
    expect(latchkey.account().accounts).toEqual(['eip155:1:0xbb', 'eip155:1:0xaa'])
    wallet.sessions[0]?.change({ accounts: ['0xaa', '0xcc', '0xBB'] })
    expect(latchkey.account().accounts).toEqual(['eip155:1:0xBB', 'eip155:1:0xaa', 'eip155:1:0xcc'])
  })
})

/** The stored state from an earlier visit, with two wallets in one family: `io.a`, which was active, and `io.b`. */
const twoStored = {
  '@latchkey/connection_status': 'connected',
  '@latchkey/active_caip_network_id': 'eip155:1',
  '@latchkey/active_namespace': 'eip155',
  '@latchkey/connected_namespaces': 'eip155',
  '@latchkey/eip155:connected_connector_id': 'io.a',
  '@latchkey/connections': JSON.stringify({
    eip155: [
      { connectorId: 'io.a', accounts: [{ address: '0xaa' }], caipNetwork: 'eip155:1' },
      { connectorId: 'io.b', accounts: [{ address: '0xbb' }], caipNetwork: 'eip155:10' },
    ],
  }),
}
const several = { multiWallet: true }
/** Returns a promise and the function that resolves it. */
const gate = () => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('two stored wallets in one family', () => {
  test('are each restored on the stored network, and only the active wallet emits a connect event', async () => {
    const [now, later] = [gate(), gate()]
    const [first, second] = [
      evmWallet('io.a', { chain: 'eip155:10', waits: now.opened }),
      evmWallet('io.b', { waits: later.opened }),
    ]
    const { latchkey, network, clock } = await page({ evm: [first, second] }, { options: several, stored: twoStored })
    const events: unknown[] = []
    latchkey.on('connect', (event) => events.push(event))
    now.open()
    await clock.pass(0)
    expect([first.connectCalls, second.connectCalls]).toEqual([
      [{ chain: 'eip155:1', silent: true }],
      [{ chain: 'eip155:10', silent: true }],
    ])
    // The wallet switched networks while the page was closed.
    expect(network()).toBe('eip155:10')
    await latchkey.switchNetwork('eip155:1')
    later.open()
    await clock.pass(0)
    expect(network()).toBe('eip155:1')
    expect(events).toMatchObject([{ connectorId: 'io.a', reconnect: true }])
    expect(latchkey.state.get().connections.others).toMatchObject([{ connectorId: 'io.b' }])
  })

  test('an outage that affects only the second wallet sets no error for the account, and that wallet is restored after the outage', async () => {
    let isDown = true
    const first = gate()
    const wallets = [
      evmWallet('io.a', { waits: first.opened }),
      evmWallet('io.b', { outage: () => (isDown ? 'relay/unreachable' : undefined) }),
    ]
    const { latchkey, clock, storage } = await page({ evm: wallets }, { options: several, stored: twoStored })
    const ids = () =>
      (JSON.parse(storage.all()['@latchkey/connections'] ?? '') as { eip155: { connectorId: string }[] }).eip155.map(
        ({ connectorId }) => connectorId,
      )
    await clock.pass(0)
    expect(latchkey.state.get().connections.byNamespace.eip155).toMatchObject({ status: 'reconnecting' })
    expect(latchkey.state.get().connections.byNamespace.eip155).not.toHaveProperty('error')
    first.open()
    await clock.pass(0)
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.a' })
    expect(ids()).toEqual(['io.a', 'io.b'])
    isDown = false
    await clock.pass(5_000)
    expect(ids()).toEqual(['io.a', 'io.b'])
    expect(latchkey.state.get().connections.others).toMatchObject([{ connectorId: 'io.b' }])
  })

  test('a rejection by the second wallet does not prevent the active wallet from being restored', async () => {
    const first = gate()
    const wallets = [evmWallet('io.a', { waits: first.opened }), evmWallet('io.b', { authorized: false })]
    const { latchkey, clock } = await page({ evm: wallets }, { options: several, stored: twoStored })
    await clock.pass(0)
    expect(latchkey.account().status).toBe('reconnecting')
    first.open()
    await clock.pass(0)
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.a' })
  })

  test('an unresponsive wallet is not reported until the second wallet has been discovered', async () => {
    const { latchkey, clock } = await page(
      { evm: [evmWallet('io.a', { waits: never })] },
      { options: several, stored: twoStored },
    )
    await clock.pass(10_000)
    expect(latchkey.state.get().connections.byNamespace.eip155).not.toHaveProperty('error')
  })

  test('a wallet that is disconnected before it is discovered is not restored, but the other wallet is', async () => {
    const adapter = fakeAdapter({ wallets: [] })
    const { latchkey, clock } = await page(
      { evm: [] },
      { options: { ...several, adapters: [adapter] }, stored: twoStored },
    )
    await latchkey.disconnect({ connectorId: 'io.b' })
    const [first, second] = [fakeConnector({ id: 'io.a' }), fakeConnector({ id: 'io.b' })]
    adapter.announce(second)
    adapter.announce(first)
    await clock.pass(0)
    expect(second.connectCalls).toEqual([])
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.a' })
  })

  test('disconnecting one wallet does not prevent the other wallet from being restored', async () => {
    const second = gate()
    const { latchkey, clock } = await page(
      { evm: [evmWallet('io.b', { waits: second.opened })] },
      { options: several, stored: twoStored },
    )
    await latchkey.disconnect({ connectorId: 'io.a' })
    await latchkey.disconnect({ connectorId: 'io.z' })
    expect(latchkey.account().status).toBe('reconnecting')
    second.open()
    await clock.pass(0)
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.b' })
  })
})

describe('a stored wallet', () => {
  test('that does not respond for ten seconds keeps its account and is identified in the error', async () => {
    const { latchkey, clock } = await page({ evm: [evmWallet('io.a', { waits: never })] }, { stored: bothStored })
    await clock.pass(9_999)
    expect(latchkey.state.get().connections.byNamespace.eip155).not.toHaveProperty('error')
    await clock.pass(1)
    expect(latchkey.state.get().connections.byNamespace.eip155).toMatchObject({
      status: 'reconnecting',
      accounts: ['eip155:1:0xab'],
      error: { code: 'wallet/unresponsive', details: { connectorId: 'io.a' } },
    })
  })

  test('is restored even if the list of stored connections is missing', async () => {
    const { '@latchkey/connections': _, ...stored } = bothStored
    const answer = gate()
    const { latchkey, clock } = await page({ evm: [evmWallet('io.a', { waits: answer.opened })] }, { stored })
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', accounts: [] })
    answer.open()
    await clock.pass(0)
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.a' })
  })

  test('is restored after an outage, even if the user declines to connect a different wallet during the outage', async () => {
    let isDown = true
    const outage = () => (isDown ? ('relay/unreachable' as const) : undefined)
    const wallets = [evmWallet('io.a', { outage }), evmWallet('io.b', { rejects: 'user/rejected' })]
    const { latchkey, clock } = await page({ evm: wallets }, { stored: bothStored })
    await clock.pass(0)
    await expect(latchkey.connect({ connectorId: 'io.b' })).rejects.toMatchObject({ code: 'user/rejected' })
    expect(latchkey.account()).toMatchObject({ status: 'reconnecting', connectorId: 'io.a' })
    isDown = false
    await clock.pass(5_000)
    expect(latchkey.account()).toMatchObject({ status: 'connected', connectorId: 'io.a' })
  })

  test('that has not been discovered is shown as disconnected if the user declines to connect a different wallet', async () => {
    const wallets = [evmWallet('io.b', { rejects: 'user/rejected' })]
    const { latchkey } = await page({ evm: wallets }, { stored: bothStored })
    await expect(latchkey.connect({ connectorId: 'io.b' })).rejects.toMatchObject({ code: 'user/rejected' })
    expect(latchkey.state.get().connections.byNamespace.eip155).toMatchObject({
      status: 'disconnected',
      error: { code: 'user/rejected' },
    })
  })

  test('is not restored if the user was disconnected at the end of the last visit, and cached balances are removed', async () => {
    const caches = { '@latchkey/native_balance_cache': '{}', '@latchkey/connection_status': 'disconnected' }
    const wallet = evmWallet()
    const ended = await page({ evm: [wallet] }, { stored: { ...bothStored, ...caches } })
    expect(wallet.connectCalls).toEqual([])
    expect(ended.storage.all()['@latchkey/native_balance_cache']).toBeUndefined()
    const connected = await page(
      { evm: [evmWallet('io.a', { waits: never })] },
      { stored: { ...caches, ...bothStored } },
    )
    expect(connected.storage.all()['@latchkey/native_balance_cache']).toBe('{}')
  })
})

describe('connected wallets', () => {
  test('chain families are stored in the order in which they were connected, without duplicates', async () => {
    const { latchkey, storage } = await page({ evm: [evmWallet()], solana: [solanaWallet()] })
    const families = () => storage.all()['@latchkey/connected_namespaces']
    await latchkey.connect({ connectorId: 'io.s', namespace: 'solana' })
    await latchkey.connect({ connectorId: 'io.a', namespace: 'eip155' })
    expect(families()).toBe('solana,eip155')
    await latchkey.connect({ connectorId: 'io.s', namespace: 'solana' })
    expect(families()).toBe('solana,eip155')
    await latchkey.disconnect({ namespace: 'solana' })
    await latchkey.connect({ connectorId: 'io.s', namespace: 'solana' })
    expect(families()).toBe('eip155,solana')
  })

  test('connecting a wallet again replaces its session, and changes in the old session are ignored', async () => {
    const wallet = evmWallet('io.a', { addresses: ['0xaa'] })
    const { latchkey } = await page({ evm: [wallet] }, { options: several })
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.connect({ connectorId: 'io.a' })
    wallet.sessions[0]?.change({ accounts: ['0xcc'], health: 'silent' })
    wallet.sessions[0]?.leave()
    expect(latchkey.account()).toMatchObject({ address: '0xaa', health: 'ok', status: 'connected' })
    expect(latchkey.state.get().connections.others).toEqual([])
  })

  test('activating a different wallet activates its network and emits its accounts', async () => {
    const [first, second] = [
      evmWallet('io.a', { addresses: ['0xaa'], chain: 'eip155:10' }),
      evmWallet('io.b', { addresses: ['0xbb'], chain: 'eip155:1' }),
    ]
    const { latchkey, network } = await page({ evm: [first, second] }, { options: several })
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.connect({ connectorId: 'io.b' })
    const events: unknown[] = []
    latchkey.on('accounts', (event) => events.push(event))
    latchkey.activate({ namespace: 'eip155', connectorId: 'io.a' })
    expect(network()).toBe('eip155:10')
    expect(events).toEqual([{ namespace: 'eip155', accounts: ['eip155:10:0xaa'] }])
    expect(latchkey.state.get().connections.others).toMatchObject([{ connectorId: 'io.b' }])
    await latchkey.disconnect({ connectorId: 'io.a' })
    expect(network()).toBe('eip155:1')
    expect(() => latchkey.activate({ namespace: 'eip155', connectorId: 'io.a' })).toThrow(
      expect.objectContaining({ code: 'wallet/not-found', details: { connectorId: 'io.a' } }),
    )
  })

  test('disconnecting a multichain wallet leaves separate wallets in other families connected', async () => {
    const [evm, solana] = [evmWallet('one', { type: 'WALLET_CONNECT' }), solanaWallet()]
    const { latchkey, network, statuses } = await page({ evm: [evm], solana: [solana] })
    await latchkey.connect({ connectorId: 'one', namespace: 'eip155' })
    await latchkey.connect({ connectorId: 'io.s', namespace: 'solana' })
    await latchkey.disconnect({ namespace: 'eip155' })
    expect(statuses()).toEqual(['disconnected', 'connected'])
    expect(network()).toBe(solanaChain)
  })

  test('disconnecting a wallet by its ID cancels the pending request to it', async () => {
    const { latchkey } = await page({ evm: [evmWallet('io.a', { waits: never })] })
    const requests = latchkey.connect({ connectorId: 'io.a' }).catch((error: unknown) => error)
    await latchkey.disconnect({ connectorId: 'io.a' })
    expect(await requests).toMatchObject({ code: 'request/aborted' })
    expect(latchkey.state.get().connections.byNamespace.eip155).toEqual({ status: 'disconnected' })
  })

  test('a wallet that ends its session while it is being disconnected emits only one disconnect event', async () => {
    const wallet = evmWallet()
    const { latchkey } = await page({ evm: [wallet] })
    await latchkey.connect({ connectorId: 'io.a' })
    const [session] = wallet.sessions
    if (session) Object.assign(session, { disconnect: async () => session.leave() })
    const events: unknown[] = []
    latchkey.on('disconnect', (event) => events.push(event))
    await latchkey.disconnect()
    expect(events).toEqual([{ namespace: 'eip155' }])
  })

  test('switchNetwork() rejects if the wallet cannot switch, unless it is already on the network', async () => {
    const { latchkey, network, analytics } = await page({ evm: [evmWallet('io.a', { switches: false })] })
    await latchkey.connect({ connectorId: 'io.a' })
    await latchkey.switchNetwork('eip155:1')
    await expect(latchkey.switchNetwork('eip155:10')).rejects.toMatchObject({
      code: 'wallet/unsupported',
      details: { method: 'switchChain' },
    })
    expect(network()).toBe('eip155:1')
    expect(await analytics('SWITCH_NETWORK')).toMatchObject([['SWITCH_NETWORK', { network: 'eip155:1' }]])
  })

  test('changes are ignored once the instance has stopped', async () => {
    const wallet = evmWallet('io.a', { addresses: ['0xaa'] })
    const { latchkey, stop } = await page({ evm: [wallet] })
    await latchkey.connect({ connectorId: 'io.a' })
    const events: unknown[] = []
    latchkey.on('accounts', (event) => events.push(event))
    stop()
    wallet.sessions[0]?.change({ accounts: ['0xcc'] })
    wallet.sessions[0]?.leave()
    expect(events).toEqual([])
    expect(wallet.sessions[0]?.ended).toBe(false)
  })
})
