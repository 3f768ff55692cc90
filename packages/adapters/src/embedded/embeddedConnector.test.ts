import { solanaDevnet, solana as solanaMainnet, solanaTestnet } from '@latchkey/core'
import type { EmbeddedWalletClient, Session } from '@latchkey/core/adapter'
import { toBase58, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { FrameUser, SocialUser } from '@latchkey/protocol/frame/messages'
import { safeMethods } from '@latchkey/protocol/frame/rpcMethods'
import { testAccounts } from '@latchkey/testing'
import { verifyMessage, verifyTypedData } from 'viem'
import { expect, test, vi } from 'vitest'
import type { EvmSession } from '../evm/evmSession.ts'
import type { EmbeddedSolanaProvider } from './solanaSession.ts'
import { type Harness, harness } from './testing/harness.ts'

const [{ address }] = testAccounts
const requests = (page: Harness) => page.frame.requests.map(({ name }) => name)
const never = new AbortController().signal
/** Minimal valid params for each method. */
const paramsOf: Readonly<Record<string, readonly unknown[]>> = {
  personal_sign: ['0x68', address],
  eth_signTypedData_v4: [address, '{"types":{},"domain":{},"primaryType":"x","message":{}}'],
  eth_sendTransaction: [{ from: address, to: address, value: '0x1' }],
  wallet_sendCalls: [{ version: '2.0.0', chainId: '0x1', from: address, calls: [{ to: address, data: '0x' }] }],
}

const loginRecords = ['emailUsed', 'email', 'lastChain', 'socialUsername', 'connectedSocial'] as const
const storedLogin = ({ records }: Harness) =>
  Object.fromEntries(loginRecords.map((name) => [name, records[name].get()]))
const noLogin = Object.fromEntries(loginRecords.map((name) => [name, undefined]))
/** Stores every value that a login stores. */
function storeLogin({ records }: Harness): void {
  records.emailUsed.set('true')
  for (const name of loginRecords.slice(1)) (records[name] as typeof records.email).set('x')
}

/** Logs in by email and connects the EVM account, as the login in core does. */
async function loggedIn(page: Harness): Promise<EvmSession> {
  const wallet = await page.bridge.wallet?.()
  if (!wallet) throw new Error('The bridge has no wallet client.')
  const login = (async () => {
    await wallet.initialised()
    await wallet.request('CONNECT_EMAIL', { email: 'ada@example.org' })
    await wallet.request('CONNECT_OTP', { otp: '123456' })
    return page.evm.connect({ signal: never })
  })()
  await page.pass(500)
  await page.pass(0)
  return (await login) as EvmSession
}

test('the frame is not mounted before the first login [R4.2] [R3.13] [R3.14]', async () => {
  const page = harness()
  expect(page.evm).toMatchObject({ id: 'ID_AUTH', type: 'AUTH', namespace: 'eip155' })
  expect(page.solana).toMatchObject({ id: 'ID_AUTH', type: 'AUTH', namespace: 'solana' })
  await expect(page.evm.connect({ silent: true, signal: never })).rejects.toMatchObject({
    code: 'wallet/not-authorized',
  })
  expect(page.urls).toEqual([])
})

test('the frame URL specifies version 4, and requests are sent in order 500 ms after READY [R4.1] [R3.16] [R9.12]', async () => {
  const page = harness()
  const wallet = await page.bridge.wallet?.()
  const ready = wallet?.initialised()
  await page.pass(499)
  expect(requests(page)).toEqual([])
  await page.pass(1)
  await ready
  expect(requests(page)).toEqual(['SYNC_DAPP_DATA', 'SYNC_THEME', 'GET_SMART_ACCOUNT_ENABLED_NETWORKS'])
  expect(page.frame.requests[0]?.payload).toMatchObject({ projectId: 'p1', sdkType: 'latchkey' })
  expect(page.frame.requests[1]?.payload).toEqual({ themeMode: 'dark' })
  expect(page.records.smartAccountNetworks.get()).toEqual(['1', '31337'])
  expect(page.urls).toEqual([
    'https://keys.example/sdk?projectId=p1&chainId=eip155%3A1&version=4&enableLogger=false&rpcUrl=https%3A%2F%2Frpc.example%2F1',
  ])
})

test('the frame is initialized only once, after it has accepted the app’s data and returned the network list [R4.1]', async () => {
  let accept = () => {}
  let list = () => {}
  const page = harness({
    frame: {
      script: {
        SYNC_DAPP_DATA: () => new Promise<undefined>((resolve) => (accept = () => resolve(undefined))),
        GET_SMART_ACCOUNT_ENABLED_NETWORKS: () =>
          new Promise((resolve) => (list = () => resolve({ smartAccountEnabledNetworks: [1] }))),
      },
    },
  })
  const wallet = await page.bridge.wallet?.()
  let isInitialised = false
  const ready = wallet?.initialised().then(() => (isInitialised = true))
  await page.pass(500)
  expect([isInitialised, requests(page)]).toEqual([false, ['SYNC_DAPP_DATA']])
  accept()
  await page.pass(0)
  const steps = ['SYNC_DAPP_DATA', 'SYNC_THEME', 'GET_SMART_ACCOUNT_ENABLED_NETWORKS']
  expect([isInitialised, requests(page)]).toEqual([false, steps])
  list()
  await page.pass(0)
  expect(isInitialised).toBe(true)
  await ready
  await wallet?.initialised()
  expect(requests(page)).toEqual(steps)
})

test.each<[string, (page: Harness, wallet: EmbeddedWalletClient) => Promise<unknown>, string]>([
  ['connecting', (page) => page.evm.connect({ signal: never }), 'GET_USER'],
  ['a social login', (_, wallet) => wallet.connectSocial('https://login.example/done'), 'CONNECT_SOCIAL'],
  ['a passkey login', (_, wallet) => wallet.connectPasskey(), 'CONNECT_PASSKEY'],
])('%s waits until the frame is initialized [R4.1]', async (_, login, request) => {
  let accept = () => {}
  const page = harness({
    frame: {
      ready: false,
      script: { SYNC_DAPP_DATA: () => new Promise<undefined>((resolve) => (accept = () => resolve(undefined))) },
    },
  })
  const wallet = (await page.bridge.wallet?.()) as EmbeddedWalletClient
  login(page, wallet).catch(() => {})
  await page.pass(2_000)
  expect(requests(page)).toEqual([])
  page.frame.ready({ capabilities: ['passkey'] })
  await page.pass(500)
  expect(requests(page)).toEqual(['SYNC_DAPP_DATA'])
  accept()
  await page.pass(0)
  expect(requests(page)).toContain(request)
})

test.each(['eip155', 'solana'] as const)(
  'restoring a login on %s waits until the frame is initialized [R4.1]',
  async (namespace) => {
    let accept = () => {}
    let list = () => {}
    const page = harness({
      used: true,
      frame: {
        user: 'ada@example.org',
        script: {
          SYNC_DAPP_DATA: () => new Promise<undefined>((resolve) => (accept = () => resolve(undefined))),
          GET_SMART_ACCOUNT_ENABLED_NETWORKS: () =>
            new Promise((resolve) => (list = () => resolve({ smartAccountEnabledNetworks: [1] }))),
        },
      },
    })
    const connector = namespace === 'eip155' ? page.evm : page.solana
    connector.connect({ silent: true, signal: never }).catch(() => {})
    await page.pass(500)
    await page.pass(0)
    expect(requests(page)).not.toContain('GET_USER')
    accept()
    await page.pass(0)
    expect(requests(page)).toContain('GET_SMART_ACCOUNT_ENABLED_NETWORKS')
    expect(requests(page)).not.toContain('GET_USER')
    list()
    await page.pass(0)
    expect(requests(page)).toContain('GET_USER')
  },
)

test('if the frame fails to load, the next login initializes it [R4.1]', async () => {
  const page = harness({ frame: { ready: false } })
  const wallet = await page.bridge.wallet?.()
  const failed = wallet?.initialised()
  failed?.catch(() => {})
  await page.pass(20_000)
  await expect(failed).rejects.toMatchObject({ code: 'frame/unreachable' })
  page.frame.ready()
  await page.pass(0)
  const again = wallet?.initialised()
  await page.pass(499)
  expect(requests(page)).toEqual([])
  await page.pass(1)
  await again
  expect(requests(page)).toEqual(['SYNC_DAPP_DATA', 'SYNC_THEME', 'GET_SMART_ACCOUNT_ENABLED_NETWORKS'])
})

test('the frame receives the configured language', async () => {
  const page = harness({ options: { locale: 'de' } })
  const ready = (await page.bridge.wallet?.())?.initialised()
  await page.pass(500)
  await ready
  expect(new URL(page.urls[0] ?? '').searchParams.get('lang')).toBe('de')
})

test('logging in sends every payload field and stores the specified values [R1.2] [R3.19]', async () => {
  const page = harness()
  page.records.lastEmailLoginTime.set(1)
  const session = await loggedIn(page)
  expect(session.accounts).toEqual([`eip155:1:${address}`])
  expect(page.frame.requests.find(({ name }) => name === 'GET_USER')?.payload).toEqual({
    chainId: 'eip155:1',
    preferredAccountType: 'smartAccount',
    rpcUrl: 'https://rpc.example/1',
  })
  expect(page.records.emailUsed.get()).toBe('true')
  expect(page.records.email.get()).toBe('ada@example.org')
  expect(page.records.lastChain.get()).toBe('1')
  expect(page.records.lastEmailLoginTime.get()).toBeUndefined()
})

test('the frame is shown for the approval and signs the message [R1.5] [R6.4]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  const message = toUtf8('hello')
  const signature = await session.can.signMessage?.({ account: `eip155:1:${address}`, message })
  expect(page.place).toEqual(['shown', 'hidden'])
  expect(await verifyMessage({ address, message: { raw: message }, signature: toHex(signature as Uint8Array) })).toBe(
    true,
  )
  expect(page.frame.requests.at(-1)?.payload).toMatchObject({
    method: 'personal_sign',
    chainId: 1,
    chainNamespace: 'eip155',
  })
})

test('reads do not show the frame, and unlisted methods are rejected without being sent [R6.3] [R8.1]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  expect(await session.provider.request({ method: 'eth_getBalance', params: [address, 'latest'] })).toBe('0x0')
  expect(page.place).toEqual([])
  const before = page.frame.requests.length
  for (const method of ['eth_sign', 'wallet_watchAsset', 'eth_signTypedData']) {
    await expect(session.provider.request({ method, params: [] })).rejects.toMatchObject({
      code: 4200,
      message: 'Requested RPC call is not allowed',
    })
  }
  expect(page.frame.requests).toHaveLength(before)
  expect(page.reports).toEqual(Array(3).fill('rpc_not_allowed'))
})

// `rpcMethods.test.ts` compares the list with the specification.
test.each([...safeMethods, 'wallet_getGrantedExecutionPermissions', 'wallet_getSupportedExecutionPermissions'])(
  '%s is answered without showing the frame [R6.3]',
  async (method) => {
    const page = harness()
    const session = await loggedIn(page)
    page.frame.script({ RPC_REQUEST: () => '0x1' })
    const params = method === 'wallet_getCallsStatus' ? ['0x1'] : []
    expect(await session.provider.request({ method, params })).toEqual(method === 'eth_accounts' ? [address] : '0x1')
    expect(page.place).toEqual([])
  },
)

test.each(['signMessage', 'signTransaction', 'signAllTransactions', 'signAndSendTransaction'] as const)(
  'solana_%s shows the frame until the request is answered [R6.4]',
  async (method) => {
    const named = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
    const page = harness()
    await loggedIn(page)
    const bytes = new Uint8Array(64).fill(7)
    const encoded = toBase58(bytes)
    let placeWhileAsking: readonly string[] = []
    page.frame.script({
      GET_USER: () => ({ address: named, chainId: solana }),
      RPC_REQUEST: () => {
        placeWhileAsking = [...page.place]
        return { signature: encoded, transaction: encoded, transactions: [encoded, encoded] }
      },
    })
    const session = (await page.solana.connect({ signal: never })) as Session<'solana'>
    const { features } = session.provider as EmbeddedSolanaProvider
    const input = { account: { address: named }, transaction: bytes }
    if (method === 'signMessage') await session.can.signMessage?.({ account: session.accounts[0], message: bytes })
    if (method === 'signTransaction') await features['solana:signTransaction']?.signTransaction(input)
    if (method === 'signAllTransactions') await features['solana:signTransaction']?.signTransaction(input, input)
    if (method === 'signAndSendTransaction')
      await features['solana:signAndSendTransaction']?.signAndSendTransaction(input)
    expect(page.frame.requests.at(-1)?.payload).toMatchObject({ method: `solana_${method}` })
    expect(placeWhileAsking).toEqual(['shown'])
    expect(page.place).toEqual(['shown', 'hidden'])
  },
)

test.each([
  ['to', { to: 'ab' }],
  ['to', {}],
  ['data', { to: address, data: 'ab' }],
])('a batch with an invalid "%s" (%o) is rejected without being sent to the frame [R5.3]', async (_, call) => {
  const page = harness()
  const session = await loggedIn(page)
  const before = page.frame.requests.length
  const params = [{ version: '2.0.0', chainId: '0x1', from: address, calls: [{ to: address, data: '0x' }, call] }]
  await expect(session.provider.request({ method: 'wallet_sendCalls', params })).rejects.toMatchObject({ code: -32602 })
  expect([page.frame.requests.length, page.place]).toEqual([before, []])
})

test.each(['processed', 'confirmed', 'finalized'] as const)(
  'the commitment %s is passed to the frame [R5.3]',
  async (preflightCommitment) => {
    const named = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
    const page = harness()
    await loggedIn(page)
    page.frame.script({
      GET_USER: () => ({ address: named, chainId: solana }),
      RPC_REQUEST: () => ({ signature: toBase58(new Uint8Array(64).fill(7)) }),
    })
    const { features } = (await page.solana.connect({ signal: never })).provider as EmbeddedSolanaProvider
    const transaction = new Uint8Array(64).fill(7)
    const send = features['solana:signAndSendTransaction']?.signAndSendTransaction
    await send?.({ account: { address: named }, transaction, options: { preflightCommitment } })
    expect(page.frame.requests.at(-1)?.payload).toMatchObject({ params: { options: { preflightCommitment } } })
    // @ts-expect-error the frame accepts legacy commitment names, but the page's type does not include them
    const older: Parameters<NonNullable<typeof send>>[0]['options'] = { preflightCommitment: 'root' }
    expect(older).toBeDefined()
  },
)

test.each<unknown>(['sure', 'Confirmed', 'singlegossip', '', 7, null])(
  'the commitment %j is rejected without being sent to the frame [R5.3]',
  async (preflightCommitment) => {
    const page = harness()
    await loggedIn(page)
    page.frame.script({
      GET_USER: () => ({ address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', chainId: solana }),
    })
    const { request } = (await page.solana.connect({ signal: never })).provider as EmbeddedSolanaProvider
    const before = page.frame.requests.length
    const params = { transaction: '2', options: { preflightCommitment } }
    await expect(request({ method: 'solana_signAndSendTransaction', params })).rejects.toMatchObject({ code: -32602 })
    expect([page.frame.requests.length, page.place]).toEqual([before, []])
  },
)

test('eth_chainId returns hex without a request to the frame', async () => {
  const page = harness()
  const session = await loggedIn(page)
  const before = page.frame.requests.length
  expect(await session.provider.request({ method: 'eth_chainId' })).toBe('0x1')
  expect(page.frame.requests).toHaveLength(before)
})

test('bigints are sent as hex at any depth', async () => {
  const page = harness()
  const session = await loggedIn(page)
  await session.provider.request({ method: 'eth_sendTransaction', params: [{ to: address, value: 10n, list: [1n] }] })
  expect(page.frame.requests.at(-1)?.payload).toMatchObject({ params: [{ to: address, value: '0xa', list: ['0x1'] }] })
})

test('a network switch sends SWITCH_NETWORK, then GET_USER [R1.13]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  const chains: string[] = []
  session.on('chain', (chain) => chains.push(chain))
  const switched = session.can.switchChain?.({
    id: 137,
    name: 'Polygon',
    nativeCurrency: { name: 'P', symbol: 'P', decimals: 18 },
    rpcUrls: {},
    chainNamespace: 'eip155',
    caipNetworkId: 'eip155:137',
  })
  await page.pass(0)
  await switched
  expect(requests(page).slice(-2)).toEqual(['SWITCH_NETWORK', 'GET_USER'])
  expect(session.chain).toBe('eip155:137')
  expect(chains).toEqual(['eip155:137'])
  await expect(
    session.provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2' }] }),
  ).rejects.toMatchObject({ code: 4902 })
})

test('closing the frame aborts a pending approval, even if a third-party frame does not respond [R4.15]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  page.frame.script({ RPC_REQUEST: () => new Promise(() => {}) })
  const signing = session.can.signMessage?.({ account: `eip155:1:${address}`, message: toUtf8('x') })
  signing?.catch(() => {})
  await page.pass(0)
  const id = page.frame.requests.at(-1)?.id
  page.dismiss()
  await expect(signing).rejects.toMatchObject({ code: 'request/aborted' })
  await page.pass(0)
  expect(page.frame.requests.at(-1)).toMatchObject({ name: 'RPC_ABORT', payload: { id } })
  expect(page.place).toEqual(['shown', 'hidden'])
})

test.each([
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'eth_sendUserOperation',
])('%s shows the frame, and is aborted when the user closes it [R6.4] [R4.15] [R1.5]', async (method) => {
  const page = harness()
  const session = await loggedIn(page)
  page.frame.script({ RPC_REQUEST: () => new Promise(() => {}) })
  const asking = session.provider.request({ method, params: paramsOf[method] ?? [{}] })
  asking.catch(() => {})
  await page.pass(0)
  expect(page.frame.requests.at(-1)).toMatchObject({ name: 'RPC_REQUEST', payload: { method } })
  expect(page.place).toEqual(['shown'])
  page.dismiss()
  await expect(asking).rejects.toMatchObject({ code: 4001, message: 'Request was aborted' })
  await page.pass(0)
  expect([page.frame.requests.at(-1)?.name, page.place]).toEqual(['RPC_ABORT', ['shown', 'hidden']])
})

test.each([
  ['solana_signMessage', { message: 'a', pubkey: 'a' }],
  ['solana_signTransaction', { transaction: 'a' }],
  ['solana_signAllTransactions', { transactions: ['a'] }],
  ['solana_signAndSendTransaction', { transaction: 'a' }],
])('%s shows the frame, and is aborted when the user closes it [R4.15]', async (method, params) => {
  const page = harness()
  await loggedIn(page)
  page.frame.script({
    GET_USER: () => ({ address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', chainId: solana }),
    RPC_REQUEST: neverAnswers,
  })
  const { request } = (await page.solana.connect({ signal: never })).provider as EmbeddedSolanaProvider
  const asking = request({ method, params })
  asking.catch(() => {})
  await page.pass(0)
  const id = page.frame.requests.at(-1)?.id
  expect(page.frame.requests.at(-1)).toMatchObject({ name: 'RPC_REQUEST', payload: { method } })
  expect(page.place).toEqual(['shown'])
  page.dismiss()
  await expect(asking).rejects.toMatchObject({ code: 4001, message: 'Request was aborted' })
  await page.pass(0)
  expect(page.frame.requests.at(-1)).toMatchObject({ name: 'RPC_ABORT', payload: { id } })
  expect(page.place).toEqual(['shown', 'hidden'])
})

test.each([
  [0, 1],
  [1, 0],
])('the frame is shown until both pending approvals are answered, in the order %i, %i [R1.5]', async (first, last) => {
  const page = harness()
  const session = await loggedIn(page)
  const answers: ((signature: string) => void)[] = []
  page.frame.script({ RPC_REQUEST: () => new Promise((resolve) => void answers.push(resolve)) })
  const signing = ['0x01', '0x02'].map((message) =>
    session.provider.request({ method: 'personal_sign', params: [message, address] }),
  )
  await page.pass(0)
  expect([answers.length, page.place.includes('hidden')]).toEqual([2, false])
  answers[first]?.('0xab')
  expect(await signing[first]).toBe('0xab')
  await page.pass(0)
  expect(page.place).not.toContain('hidden')
  answers[last]?.('0xcd')
  expect(await signing[last]).toBe('0xcd')
  await page.pass(0)
  expect(page.place.filter((step) => step === 'hidden')).toHaveLength(1)
  expect(page.place.at(-1)).toBe('hidden')
})

test('closing the frame aborts every pending approval [R4.15]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  page.frame.script({ RPC_REQUEST: neverAnswers })
  const asking = ['0x01', '0x02'].map((message) => {
    const signing = session.provider.request({ method: 'personal_sign', params: [message, address] })
    signing.catch(() => {})
    return signing
  })
  await page.pass(0)
  const ids = page.frame.requests.filter(({ name }) => name === 'RPC_REQUEST').map(({ id }) => id)
  expect(ids).toHaveLength(2)
  page.dismiss()
  for (const signing of asking) await expect(signing).rejects.toMatchObject({ code: 4001 })
  await page.pass(0)
  const aborted = page.frame.requests.filter(({ name }) => name === 'RPC_ABORT').map(({ payload }) => payload)
  expect(aborted).toEqual(ids.map((id) => ({ id })))
  expect(page.place.at(-1)).toBe('hidden')
})

/** The methods in `safeMethods` that are sent to the frame. The page itself answers `eth_accounts` and `eth_chainId`. */
const readOnly = [
  ...['eth_blockNumber', 'eth_call', 'eth_estimateGas', 'eth_feeHistory', 'eth_gasPrice', 'eth_getAccount'],
  ...['eth_getBalance', 'eth_getBlockByHash', 'eth_getBlockByNumber', 'eth_getBlockReceipts'],
  ...['eth_getBlockTransactionCountByHash', 'eth_getBlockTransactionCountByNumber', 'eth_getCode'],
  ...['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_getLogs', 'eth_getProof', 'eth_getStorageAt'],
  ...['eth_getTransactionByBlockHashAndIndex', 'eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByHash'],
  ...['eth_getTransactionCount', 'eth_getTransactionReceipt', 'eth_getUncleCountByBlockHash'],
  ...['eth_getUncleCountByBlockNumber', 'eth_maxPriorityFeePerGas', 'eth_newBlockFilter', 'eth_newFilter'],
  ...['eth_newPendingTransactionFilter', 'eth_sendRawTransaction', 'eth_syncing', 'eth_uninstallFilter'],
  ...['wallet_getCapabilities', 'wallet_getCallsStatus', 'wallet_getAssets', 'eth_getUserOperationReceipt'],
  ...['eth_estimateUserOperationGas', 'eth_getUserOperationByHash', 'eth_supportedEntryPoints'],
]

test('methods that need no approval do not show the frame and are not aborted together with an approval [R4.15]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  const answers = new Map<string, () => void>()
  page.frame.script({
    RPC_REQUEST: ({ method }) => new Promise((resolve) => answers.set(method, () => resolve(`${method} was answered`))),
  })
  const reading = readOnly.map((method) => session.provider.request({ method, params: [] }))
  await page.pass(0)
  expect([page.place, [...answers.keys()]]).toEqual([[], readOnly])
  const signing = session.provider.request({ method: 'personal_sign', params: ['0x68', address] })
  signing.catch(() => {})
  await page.pass(0)
  const { id } = page.frame.requests.at(-1) ?? {}
  page.dismiss()
  await expect(signing).rejects.toMatchObject({ code: 4001 })
  await page.pass(0)
  expect(page.frame.requests.filter(({ name }) => name === 'RPC_ABORT').map(({ payload }) => payload)).toEqual([{ id }])
  for (const answer of answers.values()) answer()
  expect(await Promise.all(reading)).toEqual(readOnly.map((method) => `${method} was answered`))
})

test('aborting an approval does not abort a pending read [R6.3] [R4.15]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  let answer = (_: unknown) => {}
  page.frame.script({
    RPC_REQUEST: (request) =>
      request?.method === 'wallet_getCapabilities'
        ? new Promise((resolve) => (answer = resolve))
        : new Promise(() => {}),
  })
  const reading = session.provider.request({ method: 'wallet_getCapabilities', params: [address] })
  await page.pass(0)
  expect([page.frame.requests.at(-1)?.name, page.place]).toEqual(['RPC_REQUEST', []])
  const readId = page.frame.requests.at(-1)?.id
  const signing = session.provider.request({ method: 'personal_sign', params: ['0x68', address] })
  signing.catch(() => {})
  await page.pass(0)
  page.dismiss()
  await expect(signing).rejects.toThrow()
  await page.pass(0)
  const aborted = page.frame.requests.filter(({ name }) => name === 'RPC_ABORT').map(({ payload }) => payload)
  expect(aborted).toHaveLength(1)
  expect(aborted).not.toContainEqual({ id: readId })
  answer({ '0x1': {} })
  expect(await reading).toEqual({ '0x1': {} })
})

test('over a port, a request that is signed while the frame closes is not reported as aborted [R4.15]', async () => {
  const page = harness({ frame: { port: true } })
  const session = await loggedInOverPort(page)
  let sign = (_: unknown) => {}
  page.frame.script({ RPC_REQUEST: () => new Promise((resolve) => (sign = resolve)) })
  const signing = session.request({ method: 'personal_sign', params: [toHex(toUtf8('x')), address] })
  await page.pass(0)
  page.dismiss()
  sign('0x1234')
  await page.pass(0)
  expect(await signing).toBe('0x1234')
})

test('calls that a permission might cover show the frame only if they need approval, and only after a delay', async () => {
  const page = harness({ frame: { port: true } })
  const session = await loggedInOverPort(page)
  const params = [{ calls: [], capabilities: { permissions: { context: `0x${'ab'.repeat(32)}` } } }]
  page.frame.script({ RPC_REQUEST: () => ({ id: '1' }) })
  expect(await session.request({ method: 'wallet_sendCalls', params })).toEqual({ id: '1' })
  await page.pass(5_000)
  expect(page.place).toEqual([])

  let answer = (_: unknown) => {}
  page.frame.script({ RPC_REQUEST: () => new Promise((resolve) => (answer = resolve)) })
  const asking = session.request({ method: 'wallet_sendCalls', params })
  await page.pass(2_000)
  expect(page.place).toEqual(['shown'])
  answer({ id: '2' })
  await page.pass(0)
  expect(await asking).toEqual({ id: '2' })
  expect(page.place).toEqual(['shown', 'hidden'])
})

test('a request that the user declines is rejected with user/rejected [R1.5]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  page.frame.script({
    RPC_REQUEST: () => {
      throw new Error('User rejected the request.')
    },
  })
  const signing = session.can.signMessage?.({ account: `eip155:1:${address}`, message: toUtf8('x') })
  await expect(signing).rejects.toMatchObject({ code: 'user/rejected' })
  await expect(session.provider.request({ method: 'personal_sign', params: ['0x', address] })).rejects.toMatchObject({
    code: 4001,
  })
})

test('a stored login is restored unless the frame has logged the user out [R4.2]', async () => {
  const page = harness({ used: true, frame: { user: 'ada@example.org' } })
  const restored = page.evm.connect({ silent: true, signal: never })
  await page.pass(500)
  await page.pass(0)
  expect((await restored).accounts).toEqual([`eip155:1:${address}`])
  expect(requests(page)[0]).toBe('IS_CONNECTED')

  const other = harness({ used: true })
  storeLogin(other)
  const connecting = other.evm.connect({ silent: true, signal: never })
  connecting.catch(() => {})
  await other.pass(500)
  await expect(connecting).rejects.toMatchObject({ code: 'wallet/not-authorized' })
  expect(storedLogin(other)).toEqual(noLogin)
})

test('a social login connects the account without a further request and stores the user’s data [R4.2]', async () => {
  const page = harness()
  const social = page.bridge.wallet?.().then((wallet) => wallet.connectSocial('https://login.example/done'))
  await page.pass(500)
  await page.pass(0)
  await social
  expect(storedLogin(page)).toEqual(noLogin)
  const connecting = page.evm.connect({ signal: never })
  await page.pass(0)
  expect((await connecting).accounts).toEqual([`eip155:1:${address}`])
  expect(requests(page)).not.toContain('GET_USER')
  expect(storedLogin(page)).toMatchObject({
    emailUsed: 'true',
    email: 'ada@example.org',
    lastChain: '1',
    socialUsername: 'ada',
  })
})

test.each(['EVM', 'Solana'] as const)(
  'ending the %s session clears the stored login data, then sends the frame exactly one sign-out request [R4.2]',
  async (family) => {
    const page = harness()
    const evm = await loggedIn(page)
    page.frame.script({
      GET_USER: () => ({ address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', chainId: solana }),
    })
    const sol = await page.solana.connect({ signal: never })
    storeLogin(page)
    let storedThen: unknown
    page.frame.script({ SIGN_OUT: () => void (storedThen = storedLogin(page)) })
    await (family === 'EVM' ? evm : sol).disconnect()
    expect(storedThen).toEqual(noLogin)
    expect(requests(page).filter((name) => name === 'SIGN_OUT')).toHaveLength(1)
  },
)

test('logging out clears the stored login, then waits at most three seconds for the frame [R9.1] [R4.2] [R9.14]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  page.frame.script({ SIGN_OUT: () => new Promise(() => {}) })
  let left = false
  const leaving = session.disconnect().then(() => {
    left = true
  })
  await page.pass(0)
  expect(page.records.emailUsed.get()).toBeUndefined()
  expect(requests(page).at(-1)).toBe('SIGN_OUT')
  await page.pass(2_999)
  expect(left).toBe(false)
  await page.pass(1)
  await leaving
  expect(left).toBe(true)
})

test.each([
  ['a load error of the iframe', undefined, 'frame/load-failed', 'Unable to load email login dependency'],
  ['a CSP that blocks the iframe', 'frame-src', 'frame/unreachable', 'Network Error - Could not load embedded wallet'],
])('%s rejects pending requests immediately and is reported once [R8.1] [R8.5]', async (_, policy, code, message) => {
  let fail = (_: string | undefined): void => {}
  const page = harness({
    loads: false,
    options: {
      place({ failed }) {
        fail = failed
        const silence = () => {}
        return {
          transport: { post: silence, subscribe: () => silence },
          show: silence,
          hide: silence,
          reload: silence,
          remove: silence,
        }
      },
    },
  })
  const connecting = page.evm.connect({ signal: never })
  connecting.catch(() => {})
  await page.pass(0)
  fail(policy)
  await expect(connecting).rejects.toMatchObject({ code, message })
  fail(policy)
  expect(page.reports).toEqual(['iframe_load_failed'])
})

test('a document that is not our frame is reported as a load failure, and also as an unverified domain if a server responds [R8.5] [R8.7]', async () => {
  const reportsWith = async (answer: () => Promise<Response>, hasLoaded: boolean) => {
    vi.stubGlobal('fetch', answer)
    let loaded = (): void => {}
    let fail = (): void => {}
    const silence = () => {}
    const page = harness({
      options: {
        place(params) {
          loaded = params.loaded
          fail = () => params.failed()
          return {
            transport: { post: silence, subscribe: () => silence },
            show: silence,
            hide: silence,
            reload: silence,
            remove: silence,
          }
        },
      },
    })
    const connecting = page.evm.connect({ signal: never })
    connecting.catch(() => {})
    await page.pass(0)
    if (hasLoaded) loaded()
    await page.pass(3_999)
    expect(page.reports).toEqual([])
    if (hasLoaded) await page.pass(1)
    else fail()
    await expect(connecting).rejects.toMatchObject({ code: hasLoaded ? 'frame/unreachable' : 'frame/load-failed' })
    await vi.waitFor(() => expect(page.errors).toHaveLength(1), { timeout: 20_000 })
    vi.unstubAllGlobals()
    return page.reports
  }
  const answers = async () => new Response()
  const refuses = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(await reportsWith(answers, true)).toEqual(['iframe_load_failed', 'unverified_domain'])
  expect(await reportsWith(refuses, true)).toEqual(['iframe_load_failed'])
  expect(await reportsWith(answers, false)).toEqual(['iframe_load_failed'])
})

test('requests on a stopped page are rejected because there is no iframe [R8.1]', async () => {
  const page = harness()
  const wallet = await page.bridge.wallet?.()
  page.detach()
  await page.pass(0)
  await expect((async () => wallet?.request('IS_CONNECTED', undefined))()).rejects.toMatchObject({
    code: 'frame/no-iframe',
    message: 'W3mFrame: iframe is not set',
  })
})

test('a frame that does not load is reported after 20 seconds [R8.5, R9.1]', async () => {
  const page = harness({ loads: false })
  const connecting = page.evm.connect({ signal: never })
  connecting.catch(() => {})
  await page.pass(20_000)
  await expect(connecting).rejects.toMatchObject({ code: 'frame/unreachable' })
  expect(page.reports).toEqual(['iframe_load_failed'])
})

/** Returns a function that returns 'open' while `promise` is pending, then 'done' or the error's code. */
function outcomeOf(promise: Promise<unknown> | undefined): () => unknown {
  let outcome: unknown = 'open'
  promise?.then(
    () => (outcome = 'done'),
    (error: { code?: unknown }) => (outcome = error.code),
  )
  return () => outcome
}

test('by default, loading the frame times out after 20 s and a request after 30 s; both are reported [R9.1]', async () => {
  const away = harness({ loads: false })
  const connecting = outcomeOf(away.evm.connect({ signal: never }))
  const wallet = await away.bridge.wallet?.()
  const email = outcomeOf(wallet?.request('CONNECT_EMAIL', { email: 'ada@example.org' }))
  await away.pass(19_999)
  expect([connecting(), email(), away.reports]).toEqual(['open', 'open', []])
  await away.pass(1)
  expect([connecting(), email()]).toEqual(['frame/unreachable', 'frame/unreachable'])
  expect(away.reports).toContain('iframe_load_failed')

  const silent = harness({ frame: { script: { CONNECT_EMAIL: () => new Promise(() => {}) } } })
  const silentWallet = await silent.bridge.wallet?.()
  const asking = outcomeOf(silentWallet?.request('CONNECT_EMAIL', { email: 'ada@example.org' }))
  await silent.pass(29_999)
  expect([asking(), silent.reports]).toEqual(['open', []])
  await silent.pass(1)
  expect([asking(), silent.reports]).toEqual(['frame/timeout', ['iframe_request_timeout']])
})

test('a new attempt reloads the frame only after the load timeout [R9.1]', async () => {
  const page = harness({ loads: false })
  const attempt = async () => {
    page.evm.connect({ signal: never }).catch(() => {})
    await page.pass(0)
  }
  await attempt()
  await page.pass(19_999)
  await attempt()
  expect(page.place).toEqual([])
  await page.pass(1)
  await attempt()
  expect(page.place).toEqual(['reloaded'])
})

test('the host can set both timeouts [R9.1]', async () => {
  const options = { loadTimeoutMs: 1_000, requestTimeoutMs: 2_000 }
  const away = harness({ loads: false, options })
  const connecting = outcomeOf(away.evm.connect({ signal: never }))
  await away.pass(1_000)
  expect(connecting()).toBe('frame/unreachable')
  const silent = harness({ options, frame: { script: { CONNECT_EMAIL: () => new Promise(() => {}) } } })
  const silentWallet = await silent.bridge.wallet?.()
  const asking = outcomeOf(silentWallet?.request('CONNECT_EMAIL', { email: 'ada@example.org' }))
  await silent.pass(1_999)
  expect(asking()).toBe('open')
  await silent.pass(1)
  expect(asking()).toBe('frame/timeout')
})

test('logging out completes as soon as the frame responds, even if the response is an error [R9.1]', async () => {
  for (const answer of [() => undefined, refuses]) {
    const page = harness()
    const session = await loggedIn(page)
    page.frame.script({ SIGN_OUT: answer })
    const left = outcomeOf(session.disconnect().catch(() => {}))
    await page.pass(0)
    expect(left()).toBe('done')
    expect(page.records.emailUsed.get()).toBeUndefined()
  }
})

test('the frame signs transactions and typed data, each with its own approval [R1.5]', async () => {
  const page = harness()
  const session = await loggedIn(page)
  let sent = 0
  session.on('sent', () => (sent += 1))
  expect(await session.can.send?.({ to: other, amount: 10n })).toEqual({ hash: `0x${'ab'.repeat(32)}` })
  expect(page.frame.requests.at(-1)).toMatchObject({
    name: 'RPC_REQUEST',
    payload: {
      method: 'eth_sendTransaction',
      params: [{ from: address, chainId: '0x1', to: other, value: '0xa' }],
      chainId: 1,
      chainNamespace: 'eip155',
    },
  })
  expect([sent, page.place]).toEqual([1, ['shown', 'hidden']])
  const types = { Mail: [{ name: 'text', type: 'string' }] }
  const mail = { types, primaryType: 'Mail', domain: {}, message: { text: 'hi' } } as const
  const signature = await session.provider.request({
    method: 'eth_signTypedData_v4',
    params: [address, JSON.stringify(mail)],
  })
  expect(await verifyTypedData({ ...mail, address, signature: signature as `0x${string}` })).toBe(true)
  expect(page.place).toEqual(['shown', 'hidden', 'shown', 'hidden'])
  // Nothing can be signed without the frame.
  page.detach()
  await expect(session.can.send?.({ to: other, amount: 10n })).rejects.toThrow()
})

test.each([
  ['https://keys.example', 'https://keys.example/sdk'],
  ['https://keys.example/other?version=3&x=1', 'https://keys.example/other'],
])('the frame URL for %s specifies version 4, regardless of the configured version [R9.12]', async (url, at) => {
  const page = harness({ options: { url } })
  const ready = (await page.bridge.wallet?.())?.initialised()
  await page.pass(500)
  await ready
  const mounted = new URL(page.urls[0] ?? '')
  expect([mounted.origin + mounted.pathname, mounted.searchParams.getAll('version')]).toEqual([at, ['4']])
})

const refuses = () => {
  throw new Error('no')
}
const neverAnswers = () => new Promise<never>(() => {})

test.each([
  ['cannot be read', refuses],
  ['never arrives', neverAnswers],
  ['is invalid', () => ({ smartAccountEnabledNetworks: 'all' }) as never],
])(
  'if the list of smart account networks %s, an empty list is stored and the login continues [R4.19]',
  async (_, answer) => {
    const page = harness({ frame: { script: { GET_SMART_ACCOUNT_ENABLED_NETWORKS: answer } } })
    // A list from an earlier visit no longer applies.
    page.records.smartAccountNetworks.set(['1'])
    const ready = page.bridge.wallet?.().then((wallet) => wallet.initialised())
    await page.pass(500)
    // The login waits at most five seconds for the list.
    await page.pass(5_000)
    await ready
    expect(page.records.smartAccountNetworks.get()).toEqual([])
    const session = await loggedIn(page)
    expect(session.accounts).toEqual([`eip155:1:${address}`])
  },
)

test('if the setup requests fail, the stored network list is empty and GET_USER is still sent [R4.19]', async () => {
  const page = harness({
    frame: { script: { GET_SMART_ACCOUNT_ENABLED_NETWORKS: refuses, SYNC_DAPP_DATA: neverAnswers } },
  })
  const connecting = page.evm.connect({ signal: never })
  connecting.catch(() => {})
  await page.pass(5_500)
  await page.pass(0)
  expect(page.records.smartAccountNetworks.get()).toEqual([])
  expect(requests(page)).toContain('GET_USER')
  await expect(connecting).rejects.toMatchObject({ code: 'frame/failed', message: 'Not logged in.' })
})

test.each([
  ['returns an error', refuses],
  ['returns an invalid response', () => 'yes' as never],
])(
  'if the frame %s when the account type changes, the user stays connected with the EOA [R4.20]',
  async (_, answer) => {
    const page = harness()
    const session = await loggedIn(page)
    page.frame.script({ SET_PREFERRED_ACCOUNT: answer })
    const wallet = await page.bridge.wallet?.()
    const set = wallet?.setAccountType('eip155', 'smartAccount')
    await page.pass(0)
    expect(await set).toBe('eoa')
    expect(page.records.accountTypes.get()).toEqual({ eip155: 'eoa' })
    // The page now requests the EOA and uses the address that the frame returned.
    expect(page.frame.requests.at(-1)).toMatchObject({ name: 'GET_USER', payload: { preferredAccountType: 'eoa' } })
    expect(await session.provider.request({ method: 'eth_accounts' })).toEqual([address])
  },
)

test('the login uses the EOA if the frame rejected an account type before connecting [R4.20]', async () => {
  const page = harness({ frame: { script: { SET_PREFERRED_ACCOUNT: refuses } } })
  const set = page.bridge.wallet?.().then((wallet) => wallet.setAccountType('eip155', 'smartAccount'))
  await page.pass(500)
  await page.pass(0)
  expect(await set).toBe('eoa')
  await loggedIn(page)
  const request = page.frame.requests.find(({ name }) => name === 'GET_USER')?.payload
  expect(request).toMatchObject({ preferredAccountType: 'eoa' })
})

test('after a login, Solana connects without a second login, and logging out disconnects both families [R3.4] [R1.5]', async () => {
  const solanaAddress = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
  const page = harness()
  const evm = await loggedIn(page)
  const chain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  page.frame.script({
    GET_USER: () => ({ address: solanaAddress, chainId: chain }),
    RPC_REQUEST: () => ({ signature: toBase58(new Uint8Array(64).fill(7)) }),
  })
  const session = (await page.solana.connect({ signal: never })) as Session<'solana'>
  expect(session.accounts).toEqual([`${chain}:${solanaAddress}`])
  expect(session.details).toMatchObject({ publicKey: solanaAddress })
  const account = session.accounts[0]
  expect(await session.can.signMessage?.({ account, message: toUtf8('hi') })).toEqual(new Uint8Array(64).fill(7))
  expect(page.frame.requests.at(-1)?.payload).toMatchObject({
    method: 'solana_signMessage',
    chainId: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    chainNamespace: 'solana',
  })
  const ended: string[] = []
  session.on('disconnect', () => ended.push('solana'))
  await evm.disconnect()
  expect(ended).toEqual(['solana'])
  expect(requests(page).filter((name) => name === 'SIGN_OUT')).toHaveLength(1)
})

test('Solana messages and transactions that are larger than 2,048 bytes are rejected with input/invalid, and no request is sent', async () => {
  const address = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
  const page = harness()
  await loggedIn(page)
  page.frame.script({
    GET_USER: () => ({ address, chainId: solana }),
    RPC_REQUEST: () => ({ signature: toBase58(new Uint8Array(64).fill(7)) }),
  })
  const session = (await page.solana.connect({ signal: never })) as Session<'solana'>
  const { features, signMessage, request } = session.provider as EmbeddedSolanaProvider
  expect(await signMessage(new Uint8Array(2_048))).toHaveLength(64)
  const sent = page.frame.requests.length
  const tooLarge = { code: 'input/invalid', message: 'params: Expected up to 2048 bytes' }
  const message = new Uint8Array(2_049)
  await expect(signMessage(message)).rejects.toMatchObject(tooLarge)
  await expect(session.can.signMessage?.({ account: session.accounts[0], message })).rejects.toMatchObject(tooLarge)
  const input = { account: { address }, transaction: new Uint8Array(2_049) }
  await expect(features['solana:signTransaction']?.signTransaction(input, input)).rejects.toMatchObject(tooLarge)
  await expect(features['solana:signAndSendTransaction']?.signAndSendTransaction(input)).rejects.toMatchObject(tooLarge)
  const raw = { method: 'solana_signMessage', params: { message: '1'.repeat(4_097), pubkey: address } }
  await expect(request(raw)).rejects.toMatchObject({ code: -32_602, cause: { code: 'input/invalid' } })
  expect(page.frame.requests).toHaveLength(sent)
})

test.each<[request: string, method: string, params: readonly unknown[]]>([
  ['a message', 'personal_sign', [`0x${'61'.repeat(250_000)}`, address]],
  ['typed data', 'eth_signTypedData_v4', [address, JSON.stringify({ message: { text: 'x'.repeat(500_000) } })]],
  ['a transaction', 'eth_sendTransaction', [{ from: address, data: `0x${'00'.repeat(250_000)}` }]],
])('%s that is too large for the frame is rejected with a code, and no request is sent', async (_, method, params) => {
  const page = harness()
  const { provider } = await loggedIn(page)
  const sent = page.frame.requests.length
  await expect(provider.request({ method, params })).rejects.toMatchObject({
    code: -32_602,
    cause: { code: 'input/invalid', message: `params: ${method}: Too large` },
  })
  expect(page.frame.requests).toHaveLength(sent)
})

test('a Solana session signs transactions through Wallet Standard features and sends them as base58 [R1.5]', async () => {
  const address = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
  const page = harness()
  await loggedIn(page)
  // 1,232 bytes is the maximum size of a Solana transaction.
  const transaction = new Uint8Array(1_232).fill(255)
  const signed = new Uint8Array(1_232).fill(254)
  page.frame.script({
    GET_USER: () => ({ address, chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
    RPC_REQUEST: () => ({ transaction: toBase58(signed), signature: toBase58(new Uint8Array(64).fill(7)) }),
  })
  const session = await page.solana.connect({ signal: never })
  const { features } = session.provider as EmbeddedSolanaProvider
  const input = { account: { address }, transaction }
  expect(await features['solana:signTransaction']?.signTransaction(input)).toEqual([{ signedTransaction: signed }])
  const sending = { ...input, options: { skipPreflight: true } }
  expect(await features['solana:signAndSendTransaction']?.signAndSendTransaction(sending)).toEqual([
    { signature: new Uint8Array(64).fill(7) },
  ])
  expect(page.frame.requests.at(-1)?.payload).toMatchObject({
    method: 'solana_signAndSendTransaction',
    params: { transaction: toBase58(transaction), options: { skipPreflight: true } },
  })
})

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const [, { address: other }] = testAccounts

test.each<[which: string, user: Partial<FrameUser>, type: string | undefined]>([
  [
    'that the frame lists for the account',
    {
      preferredAccountType: 'eoa',
      accounts: [
        { address: other, type: 'eoa' },
        { address, type: 'smartAccount' },
      ],
    },
    'smartAccount',
  ],
  ['that the user prefers if the frame lists no accounts', { preferredAccountType: 'smartAccount' }, 'smartAccount'],
  ['`undefined` if the frame reports no type', {}, undefined],
])('the account has the type %s [R3.1]', async (_, user, type) => {
  const page = harness({ frame: { script: { GET_USER: () => ({ address, chainId: 1, ...user }) } } })
  expect((await loggedIn(page)).details?.type).toBe(type)
})

test.each<[which: string, user: Partial<FrameUser>, email: string | undefined]>([
  ['an email address', { email: 'ada@example.org' }, 'ada@example.org'],
  ['null as the email address', { email: null }, undefined],
  ['no email address', {}, undefined],
])('a user with %s is connected, and the email address is stored if there is one [R3.1]', async (_, user, email) => {
  const page = harness({ frame: { script: { GET_USER: () => ({ address, chainId: 1, ...user }) } } })
  expect((await loggedIn(page)).accounts).toEqual([`eip155:1:${address}`])
  expect(page.records.email.get()).toBe(email)
})

test.each([
  ['evm', 1, 'eip155:1', '1'],
  ['evm', '1', 'eip155:1', '1'],
  ['evm', 'eip155:137', 'eip155:137', '137'],
  ['solana', solana, solana, solana],
  ['solana', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', solana, solana],
] as const)(
  'on %s, the chain that the frame sends as %o is stored as %s [R3.1] [R3.17]',
  async (family, chainId, chain, stored) => {
    const named = family === 'evm' ? address : '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
    const page = harness({ frame: { script: { GET_USER: () => ({ address: named, chainId }) } } })
    const connecting = page[family].connect({ signal: never })
    await page.pass(500)
    await page.pass(0)
    expect((await connecting).accounts).toEqual([`${chain}:${named}`])
    expect(page.records.lastChain.get()).toBe(stored)
  },
)

test.each<[which: string, user: Partial<SocialUser>, email: string | undefined, name: string | undefined]>([
  ['a name and an email address', { email: 'ada@example.org', userName: 'ada' }, 'ada@example.org', 'ada'],
  ['null as its name and email address', { email: null, userName: null }, undefined, undefined],
  ['neither a name nor an email address', {}, undefined, undefined],
])(
  'a social login with %s connects and stores the values that are present [R3.1] [R3.17]',
  async (_, user, email, name) => {
    const page = harness({ frame: { script: { CONNECT_SOCIAL: () => ({ address, chainId: 1, ...user }) } } })
    const wallet = await page.bridge.wallet?.()
    const login = wallet?.connectSocial('https://keys.example/done').then(() => page.evm.connect({ signal: never }))
    await page.pass(500)
    await page.pass(0)
    expect((await login)?.accounts).toEqual([`eip155:1:${address}`])
    expect(page.records.email.get()).toBe(email)
    expect(page.records.socialUsername.get()).toBe(name)
    expect(page.records.emailUsed.get()).toBe('true')
  },
)

test.each([
  ['evm', 1, 'x'],
  ['evm', solana, address],
  ['solana', solana, address],
  ['solana', solana, '1'.repeat(31)],
  ['solana', solana, `${'1'.repeat(40)}0`],
  ['solana', 1, '1'.repeat(32)],
] as const)(
  'an account that is invalid for the chain family is rejected: on %s, %s %s [R3.1] [R5.6]',
  async (family, chainId, named) => {
    const page = harness({ frame: { script: { GET_USER: () => ({ address: named, chainId }) } } })
    const connecting = page[family].connect({ signal: never })
    connecting.catch(() => {})
    await page.pass(500)
    await expect(connecting).rejects.toMatchObject({ code: 'frame/failed' })
  },
)

test.each([
  ['without 0x', address.slice(2)],
  ['with 0X', address.replace('0x', '0X')],
])('the frame can return an EVM address %s [R5.5]', async (_, written) => {
  const page = harness({ frame: { script: { GET_USER: () => ({ address: written, chainId: 1 }) } } })
  expect((await loggedIn(page)).accounts).toEqual([`eip155:1:${address}`])
})

test.each([`${address}0`, address.slice(0, -1), `${address.slice(0, -1)}g`, `1x${address.slice(2)}`])(
  'the invalid EVM address %s is rejected [R5.5]',
  async (written) => {
    const page = harness({ frame: { script: { GET_USER: () => ({ address: written, chainId: 1 }) } } })
    const connecting = page.evm.connect({ signal: never })
    connecting.catch(() => {})
    await page.pass(500)
    await expect(connecting).rejects.toMatchObject({ code: 'frame/failed' })
  },
)

test.each([
  [solanaMainnet, 'solana:mainnet'],
  [solanaDevnet, 'solana:devnet'],
  [solanaTestnet, 'solana:testnet'],
  [{ caipNetworkId: 'solana:BakeryLoca1So1anaNetwork11111111' }, 'solana:localnet'],
] as const)('the embedded wallet’s account on %o has the cluster %s [R3.3]', async ({ caipNetworkId }, cluster) => {
  const named = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
  const page = harness({ frame: { script: { GET_USER: () => ({ address: named, chainId: caipNetworkId }) } } })
  const connecting = page.solana.connect({ signal: never })
  await page.pass(500)
  await page.pass(0)
  expect(((await connecting).provider as EmbeddedSolanaProvider).account.chains).toEqual([cluster])
})

test('stopping the instance removes the frame', async () => {
  const page = harness()
  await loggedIn(page)
  page.detach()
  await page.pass(0)
  expect(page.place).toEqual(['removed'])
})

test('the frame is shown if it needs user input after a popup login [R1.3]', async () => {
  const page = harness({ frame: { port: true } })
  let signedIn = false
  let recover = () => {}
  const user = { address, chainId: 1, email: 'ada@example.org' }
  page.frame.script({
    IS_CONNECTED: () => ({ isConnected: signedIn }),
    CONNECT_SOCIAL: () => new Promise(() => {}),
    GET_USER: () => new Promise((resolve) => (recover = () => resolve(user))),
  })
  const wallet = await page.bridge.wallet?.()
  const social = wallet?.connectSocial('https://login.example/?state=1', { quiet: true })
  await page.pass(4_500)
  signedIn = true
  await page.pass(12_000)
  await social
  const connecting = page.evm.connect({ signal: never })
  await page.pass(1_900)
  expect(page.place).toEqual([])
  await page.pass(100)
  expect(page.place).toEqual(['shown'])
  recover()
  await page.pass(0)
  expect((await connecting).accounts).toEqual([`eip155:1:${address}`])
  expect(page.place).toEqual(['shown', 'hidden'])
})

/** Logs in over a port. The event loop delivers the port's messages, independently of the fake clock. */
async function loggedInOverPort(page: Harness): Promise<EvmSession> {
  const session = await loggedIn(page)
  expect((await page.bridge.wallet?.())?.waitsForPopup).toBe(true)
  return session
}

test('a passkey login shows the frame, and is only available if the frame supports passkeys', async () => {
  const plain = harness()
  const refused = (await plain.bridge.wallet?.())?.connectPasskey()
  refused?.catch(() => undefined)
  await plain.pass(1_000)
  await expect(refused).rejects.toMatchObject({ code: 'frame/no-passkeys' })
  expect([plain.place, plain.frame.requests.filter(({ name }) => name === 'CONNECT_PASSKEY')]).toEqual([[], []])

  const page = harness({ frame: { ready: false } })
  const wallet = await page.bridge.wallet?.()
  expect(wallet?.walletPage).toBeUndefined()
  const pending = wallet?.connectPasskey()
  await page.pass(1)
  page.frame.ready({ version: '4', capabilities: ['passkey', 'wallet'] })
  await page.pass(1_000)
  await pending
  expect(page.place).toEqual(['shown', 'hidden'])
  expect(wallet?.walletPage).toBe('https://keys.example/wallet')

  // Aborting the login aborts the request in the frame and rejects the page's promise.
  page.frame.script({ CONNECT_PASSKEY: () => new Promise(() => {}) })
  const left = new AbortController()
  const again = wallet?.connectPasskey({ signal: left.signal })
  again?.catch(() => undefined)
  await page.pass(1_000)
  left.abort()
  await expect(again).rejects.toMatchObject({ code: 'frame/aborted' })
  expect(page.frame.requests.at(-1)?.name).toBe('RPC_ABORT')
  expect(page.place.at(-1)).toBe('hidden')
})

test('the host is notified of the social logins that the frame supports', async () => {
  for (const [ready, socials] of [
    [{ version: '4', socials: ['google', 'farcaster'] }, ['google', 'farcaster']],
    [{ version: '4', capabilities: ['window'], socials: [] }, []],
    [{ version: '4' }, undefined],
    [{}, undefined],
    // Third-party frames do not restrict the social logins.
    [{ socials: 'all' }, undefined],
    [{ version: '9', socials: [] }, undefined],
  ] as const) {
    const page = harness({ frame: { ready: false } })
    ;(await page.bridge.wallet?.())?.initialised().catch(() => undefined)
    await page.pass(1)
    page.frame.ready(ready)
    await page.pass(1)
    expect([ready, page.socials]).toEqual([ready, socials])
  }
})

test('on a cross-site page, logins show the frame and connect immediately [R4.4]', async () => {
  const page = harness({ frame: { ready: false } })
  const wallet = await page.bridge.wallet?.()
  const pending = wallet?.initialised()
  await page.pass(1)
  page.frame.ready({ version: '4', capabilities: ['window', 'wallet'] })
  await page.pass(1_000)
  await pending
  expect(await wallet?.request('CONNECT_EMAIL', { email: 'ada@example.org' })).toEqual({ action: 'CONNECT' })
  await wallet?.connectPasskey()
  expect(await wallet?.connectInWindow?.('google', { signal: never })).toBe('google')
  expect(page.place).toEqual(['shown', 'hidden', 'shown', 'hidden', 'shown', 'hidden'])
  const logins = page.frame.requests.filter(({ name }) => name.startsWith('CONNECT_'))
  expect(logins).toMatchObject([
    { name: 'CONNECT_WINDOW', payload: { email: 'ada@example.org' } },
    { name: 'CONNECT_WINDOW', payload: undefined },
    { name: 'CONNECT_WINDOW', payload: { provider: 'google' } },
  ])
  expect((await page.evm.connect({ signal: never })).accounts).toEqual([`eip155:1:${address}`])

  page.frame.script({
    CONNECT_WINDOW: () => {
      throw new Error('User rejected the request.')
    },
  })
  await expect(wallet?.request('CONNECT_EMAIL', { email: 'ada@example.org' })).rejects.toMatchObject({
    code: 'user/rejected',
  })
  // Cancelling is handled like closing a popup, which returns to the provider list.
  await expect(wallet?.connectInWindow?.('google', { signal: never })).rejects.toMatchObject({
    code: 'request/aborted',
  })
})

test.each([
  ['ada', 'ada'],
  [null, undefined],
])('if a login in a window returns the user name %s, the page stores %s [R3.1] [R3.17]', async (userName, stored) => {
  const page = harness({ frame: { ready: false, script: { CONNECT_WINDOW: () => ({ provider: 'x', userName }) } } })
  const wallet = await page.bridge.wallet?.()
  const pending = wallet?.initialised()
  await page.pass(1)
  page.frame.ready({ version: '4', capabilities: ['window'] })
  await page.pass(1_000)
  await pending
  expect(await wallet?.connectInWindow?.('google', { signal: never })).toBe('x')
  expect(page.records.socialUsername.get()).toBe(stored)
})

test('a login in a window is only available if the frame supports it', async () => {
  const page = harness()
  const wallet = await page.bridge.wallet?.()
  expect(wallet?.connectInWindow).toBeUndefined()
  const pending = wallet?.initialised()
  await page.pass(1_000)
  await pending
  expect(wallet?.connectInWindow).toBeUndefined()
})

test('hasSingleKey() resolves to true for a logged-in user with a single key, until the user adds another key', async () => {
  const page = harness()
  const user = { address, chainId: 1, email: 'ada@example.org' }
  page.frame.script({ GET_USER: () => ({ ...user, protection: 'single' as const }) })
  const wallet = await page.bridge.wallet?.()
  expect(await wallet?.hasSingleKey()).toBe(false)
  await loggedIn(page)
  expect(await wallet?.hasSingleKey()).toBe(true)
  page.frame.script({ GET_USER: () => ({ ...user, protection: 'protected' as const }) })
  expect(await wallet?.hasSingleKey()).toBe(false)
})

test('calls that specify no paymaster use the host’s paymaster, which is marked as optional', async () => {
  const paymaster = 'https://paymaster.example/rpc'
  const page = harness({
    options: { paymaster },
    frame: { script: { RPC_REQUEST: ({ method }) => (method === 'wallet_sendCalls' ? { id: '0x1' } : null) } },
  })
  const session = await loggedIn(page)
  const calls = [{ to: address, value: '0x1' }]
  const receivedParams = async (method: string, first: object): Promise<unknown> => {
    await session.provider.request({ method, params: [first] })
    const request = page.frame.requests.at(-1)?.payload as { readonly params: readonly unknown[] } | undefined
    return request?.params[0]
  }
  const paid = { paymasterService: { url: paymaster, optional: true } }
  expect(await receivedParams('wallet_sendCalls', { calls })).toEqual({ calls, capabilities: paid })
  const limits = { permissions: { context: '0x01' } }
  expect(await receivedParams('wallet_sendCalls', { calls, capabilities: limits })).toEqual({
    calls,
    capabilities: { ...limits, ...paid },
  })
  // A paymaster that the calls specify takes precedence, and a single transaction does not use a paymaster.
  const own = { calls, capabilities: { paymasterService: { url: 'https://own.example' } } }
  expect(await receivedParams('wallet_sendCalls', own)).toEqual(own)
  expect(await receivedParams('eth_sendTransaction', calls[0] ?? {})).toEqual(calls[0])
})

test('calls are sent unchanged if no paymaster is configured', async () => {
  const page = harness({ frame: { script: { RPC_REQUEST: () => ({ id: '0x1' }) } } })
  const session = await loggedIn(page)
  const params = [{ calls: [{ to: address }] }]
  await session.provider.request({ method: 'wallet_sendCalls', params })
  expect(page.frame.requests.at(-1)?.payload).toMatchObject({ params: [{ calls: [{ to: address }] }] })
  expect(JSON.stringify(page.frame.requests.at(-1)?.payload)).not.toContain('paymaster')
})
