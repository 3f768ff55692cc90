import type { Adapter, AuthenticateRequest } from '@latchkey/core/adapter'
import { fakeNetwork } from '@latchkey/core/testing'
import type { Cacao, GrantedNamespaces } from '@latchkey/walletconnect'
import { expect, test, vi } from 'vitest'
import type { EvmSession } from '../evm/evmSession.ts'
import { type WalletConnectHarness, type WalletConnectHarnessOptions, walletConnectHarness } from './testing/harness.ts'
import { walletConnect } from './walletConnectConnector.ts'

const ada = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const granted = (
  chains: readonly string[],
  addresses: readonly string[],
  methods: readonly string[],
): GrantedNamespaces => ({
  eip155: {
    chains,
    methods,
    events: ['chainChanged', 'accountsChanged'],
    accounts: chains.flatMap((chain) => addresses.map((address) => `${chain}:${address}`)),
  },
})
const usual = granted(['eip155:1', 'eip155:137'], [ada, bob], ['personal_sign', 'eth_sendTransaction'])
const bench = (input: Partial<WalletConnectHarnessOptions> = {}): Promise<WalletConnectHarness> =>
  walletConnectHarness({ networks: ['eip155:1', 'eip155:137'], grants: usual, ...input })
const connect = async (page: WalletConnectHarness): Promise<EvmSession> => (await page.connect('eip155')) as EvmSession

test('a relay or project ID is required, and no relay is contacted before connecting [R3.13] [R3.14] [R7.13]', async () => {
  for (const namespace of ['eip155', 'solana', 'bip122', 'polkadot', 'cosmos'] as const) {
    const adapter = { namespace, networks: [] } as unknown as Adapter
    expect(walletConnect().connectorFor(adapter)).toBeUndefined()
    expect(walletConnect({ projectId: 'p' }).connectorFor(adapter)).toMatchObject({
      id: 'walletConnect',
      type: 'WALLET_CONNECT',
      namespace,
    })
  }
  const page = await bench({ options: { relay: 'wss://mine.example' } })
  expect(page.relay.urls).toEqual([])
  await connect(page)
  expect(page.relay.urls.some((url) => url.startsWith('wss://mine.example/?auth='))).toBe(true)
})

test('a user pairs a wallet through a proposal with only optional namespaces, signs a message and disconnects [R1.1] [R4.13]', async () => {
  const page = await bench({ answer: () => '0x5167' })
  let proposal: unknown
  page.responder.on('proposal', ({ proposal: requests }) => {
    proposal = requests
  })
  const session = await connect(page)
  expect(proposal).toMatchObject({
    requiredNamespaces: {},
    optionalNamespaces: { eip155: { chains: ['eip155:1', 'eip155:137'] } },
  })
  expect(page.offers).toMatchObject([{ expiresAt: page.clock.now() + 240_000 }, undefined])
  expect(session.accounts).toEqual([`eip155:1:${ada}`, `eip155:1:${bob}`])
  expect(await session.request({ method: 'personal_sign', params: ['0x68690a', ada] })).toBe('0x5167')
  await session.disconnect()
  expect(page.wallet.sessions.all()).toEqual([])
})

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const standardMethods = [
  ...['eth_accounts', 'eth_requestAccounts', 'eth_sendRawTransaction', 'eth_sendTransaction', 'personal_sign'],
  ...['eth_sign', 'eth_signTransaction', 'eth_signTypedData', 'eth_signTypedData_v3', 'eth_signTypedData_v4'],
]
const walletMethods = [
  ...['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'wallet_watchAsset', 'wallet_scanQRCode'],
  ...['wallet_getPermissions', 'wallet_requestPermissions', 'wallet_grantPermissions', 'wallet_revokePermissions'],
  ...['wallet_registerOnboarding', 'wallet_getCapabilities', 'wallet_getAssets', 'wallet_sendCalls'],
  'wallet_getCallsStatus',
]

test('a proposal requests the standard methods and wallet methods, or the host’s methods [R7.12]', async () => {
  const proposed = async (options: WalletConnectHarnessOptions['options'] = {}) => {
    const page = await bench({ networks: ['eip155:1', solana], grants: 'silence', options })
    const proposal = new Promise<{ optionalNamespaces: Record<string, { methods: readonly string[] }> }>((resolve) =>
      page.responder.on('proposal', (event) => resolve(event.proposal as never)),
    )
    const stop = new AbortController()
    const connecting = page.connect('eip155', { signal: stop.signal })
    connecting.catch(() => {})
    const { optionalNamespaces } = await page.inTime(proposal)
    stop.abort()
    return Object.fromEntries(
      Object.entries(optionalNamespaces).map(([namespace, { methods }]) => [namespace, methods.toSorted()]),
    )
  }
  const solanaMethods = [
    ...['solana_getAccounts', 'solana_requestAccounts', 'solana_signAllTransactions', 'solana_signAndSendTransaction'],
    ...['solana_signMessage', 'solana_signTransaction'],
  ]
  const eip155 = [...standardMethods, ...walletMethods, 'wallet_showCallsStatus'].toSorted()
  expect(await proposed()).toEqual({ eip155, solana: solanaMethods })
  expect(await proposed({ methods: { eip155: ['personal_sign'] } })).toEqual({
    eip155: ['personal_sign'],
    solana: solanaMethods,
  })
})

test('a sign-in requests permission for the same methods as a proposal, except wallet_showCallsStatus [R7.12]', async () => {
  const requested = async (options: WalletConnectHarnessOptions['options'] = {}) => {
    const page = await bench({ grants: 'silence', options })
    const payload = new Promise<{ resources?: readonly string[] | undefined }>((resolve) =>
      page.responder.on('signIn', (event) => resolve(event.payload)),
    )
    const stop = new AbortController()
    const provider = await page.bridge.pairing?.()
    provider
      ?.pair({
        signal: stop.signal,
        onUri() {},
        signIn: {
          chains: ['eip155:1'],
          domain: 'shop.example',
          uri: 'https://shop.example/',
          nonce: 'n0nce123',
          issuedAt: '2026-11-20T17:00:00.000Z',
        },
      })
      .catch(() => {})
    const recap = (await page.inTime(payload)).resources?.at(-1) ?? ''
    stop.abort()
    const { att } = JSON.parse(atob(recap.slice('urn:recap:'.length))) as { att: { eip155: object } }
    return Object.keys(att.eip155)
  }
  const expected = [...standardMethods, ...walletMethods].map((method) => `request/${method}`)
  expect((await requested()).toSorted()).toEqual(expected.toSorted())
  expect(await requested({ methods: { eip155: ['personal_sign'] } })).toEqual(['request/personal_sign'])
})

test('attestations are requested only if the host configures a verify service [R7.14]', async () => {
  const frames: string[] = []
  vi.stubGlobal('window', {
    location: { origin: 'https://shop.example' },
    document: {
      createElement: () => ({ src: '', contentWindow: {}, setAttribute() {}, remove() {} }),
      body: { append: ({ src }: { src: string }) => void frames.push(src.split('?', 1)[0] ?? '') },
    },
    addEventListener() {},
    removeEventListener() {},
  })
  try {
    const page = await bench()
    await page.inTime(connect(page))
    expect(frames).toEqual([])
    const verified = await bench({ options: { verify: 'https://verify.example' } })
    await verified.inTime(connect(verified))
    expect(new Set(frames)).toEqual(new Set(['https://verify.example/v3/attestation']))
  } finally {
    vi.unstubAllGlobals()
  }
})

test('a page proposes all of its chain families as optional, and connects those that are granted [R4.13]', async () => {
  const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
  const page = await bench({ networks: ['eip155:1', solana, bitcoin] })
  const proposals: unknown[] = []
  page.responder.on('proposal', ({ proposal }) => void proposals.push(proposal))
  const session = await connect(page)
  const events = ['accountsChanged', 'chainChanged']
  expect(proposals).toMatchObject([
    {
      requiredNamespaces: {},
      optionalNamespaces: {
        eip155: {
          chains: ['eip155:1'],
          methods: expect.arrayContaining(['personal_sign', 'eth_sendTransaction']),
          events,
        },
        solana: {
          chains: expect.arrayContaining([solana]),
          methods: expect.arrayContaining(['solana_signMessage']),
          events,
        },
        bip122: { chains: [bitcoin], methods: expect.arrayContaining(['signMessage']), events },
      },
    },
  ])
  expect(session.accounts).toEqual([`eip155:1:${ada}`, `eip155:1:${bob}`])
})

test('a sign-in during pairing sends every field to the wallet and returns the signed fields [R3.9] [R3.10]', async () => {
  const page = await bench({ grants: 'silence' })
  const signIn: AuthenticateRequest = {
    chains: ['eip155:1', 'eip155:137'],
    domain: 'shop.example',
    uri: 'https://shop.example/in',
    nonce: '0123456789abcdef',
    issuedAt: '2026-01-01T00:00:00.000Z',
    expirationTime: '2026-01-02T00:00:00.000Z',
    notBefore: '2025-12-31T00:00:00.000Z',
    requestId: 'request-1',
    statement: 'Welcome.',
    resources: ['https://shop.example/terms'],
  }
  let cacao: Cacao | undefined
  page.responder.on('signIn', ({ id, payload }) => {
    const { chains, type: _type, ...words } = payload
    expect(chains).toEqual(['eip155:1', 'eip155:137'])
    expect(words).toMatchObject({
      domain: 'shop.example',
      aud: 'https://shop.example/in',
      version: '1',
      nonce: '0123456789abcdef',
      iat: '2026-01-01T00:00:00.000Z',
      exp: '2026-01-02T00:00:00.000Z',
      nbf: '2025-12-31T00:00:00.000Z',
      requestId: 'request-1',
      statement: 'Welcome.',
      resources: ['https://shop.example/terms', expect.stringMatching(/^urn:recap:/)],
    })
    const p = { ...words, version: '1', iss: `did:pkh:eip155:1:${ada}` }
    cacao = { h: { t: 'caip122' }, p, s: { t: 'eip191', s: '0x5167' } } as Cacao
    void page.responder.signIn(id, [cacao])
  })
  const provider = await page.pairing()
  const { signed } = await page.inTime(provider.pair({ signal: new AbortController().signal, onUri() {}, signIn }))
  const { chains: _, ...fields } = signIn
  expect(signed).toEqual([
    {
      account: `eip155:1:${ada}`,
      message: expect.stringContaining(`\n${ada}\n`),
      signature: '0x5167',
      fields: { ...fields, version: '1', resources: cacao?.p.resources },
      cacao,
    },
  ])
})

test('a rejection in the wallet is reported as user/rejected [R1.1]', async () => {
  const page = await bench({ grants: 'no' })
  await expect(connect(page)).rejects.toMatchObject({ code: 'user/rejected' })
  expect(page.offers.at(-1)).toBeUndefined()
})

test('request() rejects with an EIP-1193 code if the wallet rejects the request', async () => {
  const refused = Object.assign(new Error('User rejected.'), { code: 5000 })
  const page = await bench({ answer: () => Promise.reject(refused) })
  const session = await connect(page)
  await expect(session.request({ method: 'personal_sign', params: [] })).rejects.toMatchObject({ code: 4001 })
  await expect(session.request({ method: 'eth_sign', params: [] })).rejects.toMatchObject({ code: 4200 })
})

test('switchChain() sends no request for a granted network, and rejects for any other network [R1.13]', async () => {
  const page = await bench()
  const session = await connect(page)
  const calls = page.relay.calls.length
  const chains: unknown[] = []
  session.on('chain', (chain) => chains.push(chain))
  await session.can.switchChain?.(fakeNetwork('eip155:137'))
  expect([session.chain, chains, page.relay.calls.length]).toEqual(['eip155:137', ['eip155:137'], calls])
  await expect(session.can.switchChain?.(fakeNetwork('eip155:5'))).rejects.toMatchObject({
    code: 'network/unsupported',
  })
})

test('the page is notified when the wallet changes the chain or the accounts, or ends the session', async () => {
  const page = await bench()
  const session = await connect(page)
  const events: unknown[] = []
  session.on('chain', (chain) => events.push(chain))
  session.on('accounts', (accounts) => events.push(accounts.length))
  session.on('disconnect', () => events.push('end'))
  await page.clock.pass(10)
  const topic = page.topic()
  const { emit, update } = page.acts
  // The chain in the event's data takes precedence over the event's chain ID.
  await emit(topic, 'eip155:1', { name: 'chainChanged', data: 137 })
  await page.clock.pass(10)
  await update(topic, granted(['eip155:137'], [bob], ['personal_sign']))
  await page.clock.pass(10)
  await page.wallet.sessions.disconnect(topic)
  await page.clock.pass(10)
  expect(events).toEqual(['eip155:137', 1, 'end'])
})

test('an event for a different chain family does not change the session’s chain or accounts', async () => {
  const page = await bench({
    networks: ['eip155:1', 'eip155:137', solana],
    grants: {
      ...usual,
      solana: {
        chains: [solana],
        methods: ['solana_signMessage'],
        events: ['chainChanged', 'accountsChanged'],
        accounts: [`${solana}:4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU`],
      },
    },
  })
  const session = await connect(page)
  const heard: unknown[] = []
  session.on('chain', (chain) => heard.push(chain))
  session.on('accounts', (accounts) => heard.push(accounts))
  await page.clock.pass(10)
  const { emit } = page.acts
  await emit(page.topic(), solana, { name: 'chainChanged', data: 137 })
  await emit(page.topic(), solana, { name: 'accountsChanged', data: [bob] })
  await page.clock.pass(10)
  expect(heard).toEqual([])
  await emit(page.topic(), 'eip155:137', { name: 'chainChanged', data: 137 })
  await page.clock.pass(10)
  expect(heard).toEqual(['eip155:137'])
})

test('the session is restored after a reload without prompting the user', async () => {
  const first = await bench()
  await connect(first)
  first.detach()
  const page = await bench({ before: first, grants: 'silence' })
  const session = await page.connect('eip155', { silent: true })
  expect(session.accounts).toEqual([`eip155:1:${ada}`, `eip155:1:${bob}`])
  expect(page.offers).toEqual([])
})

test('the health of a restored session is silent if the wallet does not respond after a reload', async () => {
  const first = await bench()
  await connect(first)
  first.detach()
  first.wallet.close()
  const page = await bench({ before: first, grants: 'silence' })
  const session = await page.inTime(page.connect('eip155', { silent: true }))
  const health = new Promise((resolve) => session.on('health', resolve))
  expect(await page.inTime(health)).toBe('silent')
})

test('a silent connect() call rejects if there is no stored session', async () => {
  const page = await bench()
  await expect(page.connect('eip155', { silent: true })).rejects.toMatchObject({ code: 'wallet/not-authorized' })
  expect(page.relay.urls).toEqual([])
})

test('aborting the connection ends the pairing', async () => {
  const page = await bench({ grants: 'silence' })
  const stop = new AbortController()
  const offer = page.nextOffer()
  const connecting = page.connect('eip155', { signal: stop.signal })
  connecting.catch(() => {})
  await offer
  stop.abort()
  await expect(connecting).rejects.toMatchObject({ code: 'request/aborted' })
  await page.clock.pass(10)
  expect(page.offers.at(-1)).toBeUndefined()
})
