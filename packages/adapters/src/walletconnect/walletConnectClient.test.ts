import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Session } from '@latchkey/core/adapter'
import { fakeNetwork } from '@latchkey/core/testing'
import type { GrantedNamespaces } from '@latchkey/walletconnect'
import { expect, onTestFinished, test } from 'vitest'
import type { EvmSession } from '../evm/evmSession.ts'
import { methodsOf } from './proposedNamespaces.ts'
import { type WalletConnectHarnessOptions, walletConnectHarness } from './testing/harness.ts'

const ada = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const sol = '722RdWmHC5TGXBjTejzNjbc8xEiduVDLqZvoUGz6Xzbp'
const events = ['accountsChanged', 'chainChanged']

const evm = (
  chains: readonly string[],
  methods: readonly string[] = methodsOf.eip155,
  addresses = [ada],
): GrantedNamespaces => ({
  eip155: {
    chains,
    methods,
    events,
    accounts: chains.flatMap((chain) => addresses.map((address) => `${chain}:${address}`)),
  },
})
const both: GrantedNamespaces = {
  ...evm(['eip155:1']),
  solana: { chains: [solana], methods: methodsOf.solana, events, accounts: [`${solana}:${sol}`] },
}
const setup: WalletConnectHarnessOptions = {
  networks: ['eip155:1', 'eip155:137'],
  grants: evm(['eip155:1', 'eip155:137']),
}

/** Starts an RPC node that returns the method of each request as its result. */
async function node(): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method } = JSON.parse(text)
    const answer = method === 'eth_fails' ? { error: { code: -32000, message: 'no' } } : { result: `node: ${method}` }
    response.end(method === 'eth_html' ? '<html>' : JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const request = (session: Session<'eip155'>, method: string, params: unknown[] = []): Promise<unknown> =>
  (session as EvmSession).request({ method, params })

test('read methods that the wallet did not grant are sent to the network’s node or the configured node', async () => {
  const url = await node()
  for (const [network, rpcMap] of [
    [fakeNetwork('eip155:1', { rpcUrls: { default: { http: [url] } } }), undefined],
    [fakeNetwork('eip155:1'), { 'eip155:1': url } as const],
  ] as const) {
    const page = await walletConnectHarness({
      networks: [network],
      grants: evm(['eip155:1'], ['personal_sign']),
      options: { ...(rpcMap && { rpcMap }) },
    })
    const session = await page.connect('eip155')
    expect(await request(session, 'eth_blockNumber')).toBe('node: eth_blockNumber')
    await expect(request(session, 'eth_fails')).rejects.toMatchObject({ code: -32000, message: 'no' })
    await expect(request(session, 'eth_html')).rejects.toMatchObject({ code: -32603 })
    await expect(request(session, 'eth_sendTransaction')).rejects.toMatchObject({ code: 4200 })
    expect(page.requests).toEqual([])
    // The requests use the host's own fetch, which can add a key, a proxy or metrics.
    expect(page.read).toEqual([url, url, url])
  }
})

test('capabilities are requested once, and again after a session update', async () => {
  const page = await walletConnectHarness({ ...setup, answer: () => ({ '0x1': { atomicBatch: { supported: true } } }) })
  const session = await page.connect('eip155')
  for (const address of [ada, ada, ada.toLowerCase()])
    expect(await request(session, 'wallet_getCapabilities', [address])).toHaveProperty('0x1')
  expect(page.requests).toHaveLength(1)
  await page.clock.pass(10)
  await page.acts.update(page.topic(), evm(['eip155:1']))
  await page.clock.pass(10)
  await request(session, 'wallet_getCapabilities', [ada])
  expect(page.requests).toHaveLength(2)
})

test.each([
  ['an object', (all: unknown) => all],
  ['JSON', (all: unknown) => JSON.stringify(all)],
])('capabilities are not requested if the wallet sent them as %s when the session was settled', async (_, write) => {
  const capabilities = { [ada.toLowerCase()]: { '0x1': { atomicBatch: { supported: true } } } }
  const page = await walletConnectHarness({ ...setup, sessionProperties: { capabilities: write(capabilities) } })
  const session = await page.connect('eip155')
  expect(await session.can.capabilities?.()).toEqual({ '0x1': { atomicBatch: { supported: true } } })
  expect(page.requests).toEqual([])
})

test('a session starts on the requested chain, or else the default chain, or else the first common chain', async () => {
  const chainOf = async (chains: readonly string[], defaultChain?: 'eip155:137', chain?: 'eip155:137' | 'eip155:5') => {
    const options = defaultChain ? { defaultChain } : {}
    const page = await walletConnectHarness({ ...setup, grants: evm(chains), options })
    return (await page.connect('eip155', chain ? { chain } : {})).chain
  }
  expect(await chainOf(['eip155:10', 'eip155:1', 'eip155:137'])).toBe('eip155:1')
  expect(await chainOf(['eip155:1', 'eip155:137'], 'eip155:137')).toBe('eip155:137')
  expect(await chainOf(['eip155:1', 'eip155:137'], undefined, 'eip155:137')).toBe('eip155:137')
  expect(await chainOf(['eip155:1', 'eip155:137'], 'eip155:137', 'eip155:5')).toBe('eip155:137')
  expect(await chainOf(['eip155:10'])).toBe('eip155:10')
})

test.each([5000, 0, -32000])('"connection request reset" with code %i is a user rejection', async (code) => {
  const page = await walletConnectHarness({
    ...setup,
    answer: () => Promise.reject(Object.assign(new Error('Connection request reset. Please try again.'), { code })),
  })
  const session = await page.connect('eip155')
  const requests = { account: session.accounts[0], message: new Uint8Array() }
  await expect(session.can.signMessage?.(requests)).rejects.toMatchObject({ code: 'user/rejected' })
})

test('disconnecting succeeds even if the wallet no longer has the session', async () => {
  const page = await walletConnectHarness(setup)
  const session = await page.connect('eip155')
  page.wallet.rpc.handle('wc_sessionDelete', () =>
    Promise.reject(Object.assign(new Error("No matching key. session topic doesn't exist"), { code: 2 })),
  )
  await page.inTime(session.disconnect())
  await expect(page.connect('eip155', { silent: true })).rejects.toMatchObject({ code: 'wallet/not-authorized' })
})

// --- After a reload

test('all chain families are restored after a reload with a single ping and without pairing again', async () => {
  const first = await walletConnectHarness({ networks: ['eip155:1', solana], grants: both })
  await first.connect('eip155')
  await first.connect('solana')
  first.detach()
  const page = await walletConnectHarness({ networks: ['eip155:1', solana], grants: 'silence', before: first })
  const pings = (): number => page.relay.calls.filter(({ params }) => params.tag === 1114).length
  const [firstSession, secondSession] = await Promise.all([
    page.connect('eip155', { silent: true }),
    page.connect('solana', { silent: true }),
  ])
  expect([firstSession.accounts, secondSession.accounts]).toEqual([[`eip155:1:${ada}`], [`${solana}:${sol}`]])
  expect([page.offers, pings()]).toEqual([[], 1])
})

test('connecting after a reload reuses the stored session if all of the page’s networks were requested for it', async () => {
  const first = await walletConnectHarness(setup)
  await first.connect('eip155')
  first.detach()
  const page = await walletConnectHarness({ ...setup, grants: 'silence', before: first })
  expect((await page.connect('eip155')).accounts).toEqual([`eip155:1:${ada}`])
  expect(page.offers).toEqual([])
})

test('a session that predates one of the page’s networks can be restored, but is replaced when the user connects', async () => {
  const first = await walletConnectHarness(setup)
  await first.connect('eip155')
  first.detach()
  const networks = [...setup.networks, 'eip155:10' as const]
  const restored = await walletConnectHarness({ networks, grants: 'silence', before: first })
  expect((await restored.connect('eip155', { silent: true })).chain).toBe('eip155:1')
  restored.detach()
  const page = await walletConnectHarness({ networks, grants: evm(['eip155:10']), before: first })
  expect((await page.connect('eip155')).chain).toBe('eip155:10')
  expect(page.offers.filter(Boolean)).toHaveLength(1)
  await page.clock.pass(3_000)
  expect(first.wallet.sessions.all()).toEqual([])
})

test('the user pairs again if the wallet of the stored session does not respond', async () => {
  const first = await walletConnectHarness(setup)
  await first.connect('eip155')
  first.detach()
  first.wallet.close()
  const page = await walletConnectHarness({ ...setup, before: first })
  await page.inTime(page.connect('eip155'))
  expect(page.offers.filter(Boolean)).toHaveLength(1)
})

// --- Rejections by the relay

test.each([
  [
    'JWT validation error: JWT Token is not yet valid',
    'relay/session-expired, Session Expired',
    /clock of this device is wrong/,
  ],
  [
    'JWT validation error: JWT Token has expired',
    'relay/session-expired, Session Expired',
    /clock of this device is wrong/,
  ],
  ['Unauthorized: invalid key', 'relay/invalid-key, Unauthorized: invalid key', /projectId/],
  ['Unauthorized: origin not allowed', 'app/origin-not-allowed, Invalid App Configuration', /origin/],
])('the relay error "%s" is reported to the developer only once [R8.8, R8.9]', async (reason, reported, hint) => {
  const page = await walletConnectHarness({ ...setup, grants: 'silence' })
  for (let time = 0; time < 2; time++) {
    const offer = page.nextOffer()
    const connecting = page.connect('eip155')
    connecting.catch(() => {})
    await offer
    page.relay.close(3000, reason)
    // The pairing ends, so that the user is not left with a QR code that no wallet can use.
    await expect(connecting).rejects.toMatchObject({ code: reported.split(',')[0] })
    expect(page.offers.at(-1)).toBeUndefined()
  }
  expect(page.offers.filter(Boolean)).toHaveLength(2)
  expect(page.reports).toEqual([`relay_refused: ${reported}`])
  expect(page.warnings).toEqual([expect.stringMatching(hint)])
})

test('a wallet that is connected in one chain family does not replace the wallet in a family that it grants later', async () => {
  const other = 'Vote111111111111111111111111111111111111111'
  const networks = ['eip155:1', solana] as const
  const first = await walletConnectHarness({ networks, grants: { solana: both.solana as GrantedNamespaces[string] } })
  await first.inTime(first.connect('solana'))
  const two = await walletConnectHarness({ networks, grants: evm(['eip155:1']), before: first })
  await two.inTime(two.connect('eip155'))
  const theirs = { ...both, solana: { ...both.solana, accounts: [`${solana}:${other}`] } } as GrantedNamespaces
  await two.clock.pass(5_000)
  await two.inTime(two.acts.update(two.topic(), theirs))
  await two.inTime(two.acts.extend(two.topic()))
  const next = await walletConnectHarness({ networks, grants: 'silence', before: first })
  expect((await next.inTime(next.connect('solana', { silent: true }))).accounts).toEqual([`${solana}:${sol}`])
})
