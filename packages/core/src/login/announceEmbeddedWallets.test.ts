import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import type { AnnouncedWallet, MultichainConnector, Session, WalletAnnouncer } from '../adapter.ts'
import type { ConnectionState, State } from '../latchkeyTypes.ts'
import { fakeLatchkey, fakeNetwork } from '../testing/index.ts'
import { announceEmbeddedWallets } from './announceEmbeddedWallets.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const own = { name: 'our provider' }

/** Announces the embedded wallet `auth`, which is available on eip155. */
async function announce(params: { preferred?: ChainId; load?: () => Promise<WalletAnnouncer> } = {}) {
  const known = ['eip155:1', 'eip155:10', solana].map((id) => fakeNetwork(id as ChainId))
  const { state } = fakeLatchkey({
    state: (initial) => ({
      ...initial,
      modal: { ...initial.modal, open: false },
      networks: { known, active: 'eip155:1', namespace: 'eip155' },
    }),
  })
  const calls: string[] = []
  let wallet: AnnouncedWallet | undefined
  let session: Session | undefined
  const announcer: WalletAnnouncer = {
    start(started) {
      wallet = started
      calls.push('start')
      return () => void calls.push('stop')
    },
    isOwn: (provider) => provider === own,
  }
  const announcement = announceEmbeddedWallets({
    multichainConnectors: [
      { id: 'auth', announcer: params.load ?? (async () => announcer) },
      { id: 'other' },
    ] as unknown as readonly MultichainConnector[],
    state,
    log: { error: (text: string) => void calls.push(text) } as never,
    network: ((namespace: Namespace) =>
      known.find(({ caipNetworkId, chainNamespace }) =>
        params.preferred ? caipNetworkId === params.preferred : chainNamespace === namespace,
      )) as never,
    has: (namespace, id) => namespace === 'eip155' && id === 'auth',
    session: (namespace, id) => (namespace === 'eip155' && id === 'auth' ? session : undefined),
    disconnect: async (id) => void calls.push(`disconnect ${id}`),
    promptLogin(namespace) {
      calls.push(`prompt ${namespace}`)
      patchModal(true)
    },
  })
  const patch = (change: Partial<State>) => state.set({ ...state.get(), ...change })
  const patchModal = (open: boolean) => patch({ modal: { ...state.get().modal, open } })
  const loaded = async () => {
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
  }
  await loaded()
  return {
    ...announcement,
    calls,
    loaded,
    wallet: wallet as unknown as AnnouncedWallet,
    connection: (eip155: ConnectionState<'eip155'>) => patch({ connections: { byNamespace: { eip155 }, others: [] } }),
    open: () => {
      session = { accounts: [`eip155:10:${address}`], chain: 'eip155:10', provider: own } as unknown as Session
      patch({})
    },
    close: () => patchModal(false),
  }
}

/** Records how `promise` settles. */
function outcomeOf(promise: Promise<unknown>): string[] {
  const outcome: string[] = []
  promise.then(
    () => outcome.push('connected'),
    (error: { code?: number }) => outcome.push(`refused ${error.code}`),
  )
  return outcome
}

const restoring = {
  status: 'reconnecting',
  connectorId: 'auth',
  accounts: [`eip155:1:${address}`],
  chain: 'eip155:1',
} as const

test('lists the host’s chains of each family, with the preferred chain first and without duplicates', async () => {
  const first = await announce()
  expect(first.wallet.chains('eip155')).toEqual(['eip155:1', 'eip155:10'])
  // The wallet is not available on Solana.
  expect(first.wallet.chains('solana')).toEqual([])
  const { wallet } = await announce({ preferred: 'eip155:10' })
  expect(wallet.chains('eip155')).toEqual(['eip155:10', 'eip155:1'])
})

test('exposes the session while it exists, with addresses that do not include the chain', async () => {
  const { wallet, open } = await announce()
  expect(wallet.session('eip155')).toBeUndefined()
  open()
  expect(wallet.session('eip155')).toEqual({ addresses: [address], chain: 'eip155:10', provider: own })
  expect(wallet.session('solana')).toBeUndefined()
})

test('notifies listeners of changes until they are removed, and disconnects the wallet', async () => {
  const { wallet, calls, close } = await announce()
  let changes = 0
  const remove = wallet.onChange(() => changes++)
  close()
  remove()
  close()
  expect(changes).toBe(1)
  await expect(wallet.leave()).resolves.toBeNull()
  expect(calls).toEqual(['start', 'disconnect auth'])
})

test('recognizes its own provider, and withdraws the announcement', async () => {
  const { isOwn, stop, calls } = await announce()
  expect([isOwn(own), isOwn({ ...own })]).toEqual([true, false])
  stop()
  expect(calls).toEqual(['start', 'stop'])
})

test('announces nothing if the instance stops while the announcer loads, and logs an error if the announcer cannot be loaded', async () => {
  let load: (announcer: WalletAnnouncer) => void = () => {}
  const late = await announce({
    load: () =>
      new Promise((resolve) => {
        load = resolve
      }),
  })
  late.stop()
  load({ start: () => expect.unreachable(), isOwn: () => true })
  await late.loaded()
  expect(late.isOwn(own)).toBe(false)
  const broken = await announce({ load: () => Promise.reject(new Error('404')) })
  expect(broken.calls).toEqual(['Unable to announce auth'])
})

test('concurrent requests from a kit open the login only once, and connect after the login', async () => {
  const { wallet, calls, open, loaded } = await announce()
  const outcomes = [1, 2].map(() => outcomeOf(wallet.connect({ namespace: 'eip155', silent: false })))
  await loaded()
  expect([outcomes, calls]).toEqual([
    [[], []],
    ['start', 'prompt eip155'],
  ])
  open()
  await loaded()
  expect(outcomes).toEqual([['connected'], ['connected']])
  // A connected wallet does not require a login.
  await wallet.connect({ namespace: 'eip155', silent: false })
  expect(calls).toEqual(['start', 'prompt eip155'])
})

test('a request rejects with the code 4001 if the user closes the login, and the kit can send another request', async () => {
  const { wallet, calls, close, loaded } = await announce()
  const outcomes = [1, 2].map(() => outcomeOf(wallet.connect({ namespace: 'eip155', silent: undefined })))
  close()
  await loaded()
  expect(outcomes).toEqual([['refused 4001'], ['refused 4001']])
  const again = outcomeOf(wallet.connect({ namespace: 'eip155', silent: undefined }))
  await loaded()
  expect([again, calls]).toEqual([[], ['start', 'prompt eip155', 'prompt eip155']])
})

test('a silent request never opens the login', async () => {
  const { wallet, calls } = await announce()
  await wallet.connect({ namespace: 'eip155', silent: true })
  expect(calls).toEqual(['start'])
})

test.each([true, false])('a request waits while the session is being restored (silent: %s)', async (silent) => {
  const { wallet, calls, connection, loaded, open } = await announce()
  connection(restoring)
  const outcome = outcomeOf(wallet.connect({ namespace: 'eip155', silent }))
  await loaded()
  expect([outcome, calls]).toEqual([[], ['start']])
  open()
  await loaded()
  expect([outcome, calls]).toEqual([['connected'], ['start']])
})

test('a request does not wait for a restore that fails because of an outage, or for a different wallet', async () => {
  const down = await announce()
  down.connection({ ...restoring, error: new Error('offline') as never })
  void outcomeOf(down.wallet.connect({ namespace: 'eip155', silent: false }))
  expect(down.calls).toEqual(['start', 'prompt eip155'])
  const other = await announce()
  other.connection({ ...restoring, connectorId: 'marlin' })
  void outcomeOf(other.wallet.connect({ namespace: 'eip155', silent: false }))
  expect(other.calls).toEqual(['start', 'prompt eip155'])
})

test('while the user is connecting, a silent request resolves immediately, and any other request waits', async () => {
  const { wallet, calls, connection, loaded } = await announce()
  connection({ status: 'connecting', connectorId: 'auth' })
  const waiting = outcomeOf(wallet.connect({ namespace: 'eip155', silent: false }))
  const silent = outcomeOf(wallet.connect({ namespace: 'eip155', silent: true }))
  await loaded()
  expect([waiting, silent, calls]).toEqual([[], ['connected'], ['start']])
  connection({ status: 'disconnected' })
  await loaded()
  expect([waiting, calls]).toEqual([[], ['start', 'prompt eip155']])
})
