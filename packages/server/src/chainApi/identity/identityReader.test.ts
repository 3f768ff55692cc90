import { getIdentity, type Profile } from '@latchkey/protocol/http/chainApi'
import { testAccounts } from '@latchkey/testing'
import {
  type Anvil,
  deployNameService,
  type FaultServer,
  startAnvil,
  startFaultServer,
  type TestNameService,
} from '@latchkey/testing/node'
import * as v from 'valibot'
import {
  createPublicClient,
  decodeFunctionData,
  encodeAbiParameters,
  encodePacked,
  type Hex,
  http,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { PublicFetch } from '../../http/publicFetch.ts'
import { inMemoryProjects } from '../../inMemoryDependencies.ts'
import { chainApiServer } from '../../testing/chainApiServer.ts'
import type { AccountNames } from '../chainApiTypes.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { createOffchainResolver } from '../names/offchainResolver.ts'

const chainId = 'eip155:31337'
const [alice, bob, carol, dave, erin] = testAccounts
const signer = privateKeyToAccount(`0x${'5'.repeat(64)}`)

let anvil: Anvil
let ens: TestNameService
let node: FaultServer
let sent = 0
let reject: object | undefined
beforeAll(async () => {
  anvil = await startAnvil()
  ens = await deployNameService({ chain: anvil.chain })
  await ens.register('alice.eth', { address: alice.address, texts: { avatar: 'https://img.example/alice.png' } })
  await ens.setPrimaryName(alice.privateKey, 'alice.eth')
  await ens.registerOffchain('offchain.eth', {
    url: 'https://gateway.example/{sender}/{data}.json',
    signer: signer.address,
  })
  await ens.setPrimaryName(carol.privateKey, 'carol.offchain.eth')
  node = await startFaultServer(async (request) => {
    sent += 1
    const body = await request.text()
    const { id } = JSON.parse(body) as { id: number }
    if (reject) return Response.json({ jsonrpc: '2.0', id, error: reject })
    return fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  })
}, 120_000)
afterAll(async () => {
  await node.stop()
  await anvil.stop()
})
afterEach(() => {
  node.mend()
  reject = undefined
})

function ensChain(overrides: Partial<ChainConfig> = {}): ChainConfig {
  return {
    chainId,
    name: 'Local chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    testnet: true,
    rpcUrls: [node.url],
    tokens: [],
    ens: { universalResolver: ens.universalResolver },
    ...overrides,
  }
}

const time = Date.UTC(2026, 10, 28)
const noGateway: PublicFetch = async () => Promise.reject(new Error('no gateway'))
const serverFor = (options: Partial<Parameters<typeof chainApiServer>[0]> = {}) =>
  chainApiServer({ chains: [ensChain()], publicFetch: noGateway, timeoutMs: 500, now: () => time, ...options })

async function identityOf(address: string, server = serverFor(), query = '') {
  const { status, body, headers } = await server.get(`/v1/identity/${address}${query}`)
  expect(status).toBe(200)
  expect(v.is(getIdentity.answer, body)).toBe(true)
  const [, maxAge = ''] = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '') ?? []
  return { ...(body as { name: string | null; avatar: string | null; resolvedAt: string }), maxAge: Number(maxAge) }
}

describe('ENS names', () => {
  test('the primary name is shown if it resolves to the address, whatever the case of the address', async () => {
    for (const address of [alice.address, alice.address.toLowerCase()])
      expect(await identityOf(address)).toMatchObject({ name: 'alice.eth', avatar: 'https://img.example/alice.png' })
  })

  test('a primary name that belongs to someone else is not shown', async () => {
    await ens.setPrimaryName(bob.privateKey, 'alice.eth')
    expect(await identityOf(bob.address)).toMatchObject({ name: null, avatar: null })
    await ens.setPrimaryName(bob.privateKey, 'nobody.eth')
    expect(await identityOf(bob.address)).toMatchObject({ name: null })
  })

  test.each(['Bob.eth', 'b\u200bob.eth', 'bob\u202e.eth', 'b o b.eth', `${'b'.repeat(300)}.eth`, 'bоb_\u0000.eth'])(
    'a name that could be displayed like another one is not shown: %j',
    async (name) => {
      await ens.register(name, { address: bob.address })
      await ens.setPrimaryName(bob.privateKey, name)
      expect(await identityOf(bob.address)).toMatchObject({ name: null })
    },
  )

  test.each([
    [
      'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/a.png',
      'https://ipfs.example/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/a.png',
    ],
    ['https://img.example/b.png', 'https://img.example/b.png'],
    ['http://img.example/b.png', null],
    ['javascript:alert(1)', null],
    ['data:image/svg+xml;base64,PHN2Zy8+', null],
    ['eip155:1/erc721:0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb/1', null],
    ['https://user:secret@img.example/b.png', null],
    ['ipfs://../../etc/passwd', null],
    ['x'.repeat(3_000), null],
  ])('for the avatar record %s, the avatar is an https image or null', async (record, avatar) => {
    await ens.register('dave.eth', { address: dave.address, texts: { avatar: record } })
    await ens.setPrimaryName(dave.privateKey, 'dave.eth')
    const server = serverFor({ config: { ipfsGateway: 'https://ipfs.example/' } })
    expect(await identityOf(dave.address, server)).toMatchObject({ name: 'dave.eth', avatar })
  })

  test('a name is cached for a day and then read again, and clients may cache it for the rest of that day', async () => {
    let clock = 0
    const start = Date.UTC(2026, 10, 28)
    const server = serverFor({ clock: () => clock, now: () => start + clock })
    expect(await identityOf(alice.address, server)).toMatchObject({
      maxAge: 86_400,
      resolvedAt: '2026-11-28T00:00:00.000Z',
    })
    const before = sent
    clock = 500_000
    expect(await identityOf(alice.address, server)).toMatchObject({
      maxAge: 85_900,
      resolvedAt: '2026-11-28T00:00:00.000Z',
    })
    expect(sent).toBe(before)
    clock = 86_400_001
    expect(await identityOf(alice.address, server)).toMatchObject({
      maxAge: 86_400,
      resolvedAt: '2026-11-29T00:00:00.001Z',
    })
    expect(sent).toBeGreaterThan(before)
  })

  test('concurrent requests for a name share its calls to the node', async () => {
    await identityOf(alice.address)
    const before = sent
    await identityOf(alice.address)
    const single = sent - before
    const server = serverFor()
    await Promise.all(Array.from({ length: 30 }, () => identityOf(alice.address, server)))
    expect(sent - before - single).toBe(single)
  })

  test('useCache=false reads the name again on a server without projects, and is rejected with 401 if there are projects', async () => {
    const server = serverFor()
    await identityOf(alice.address, server)
    const before = sent
    await identityOf(alice.address, server, '?useCache=false')
    expect(sent).toBeGreaterThan(before)
    const project = { id: 'shop', name: 'Shop', allowedOrigins: [], features: [], analytics: true }
    const strict = serverFor({ projects: inMemoryProjects([project]) })
    const answer = await strict.get(`/v1/identity/${alice.address}?projectId=shop&useCache=false`)
    expect(answer).toMatchObject({ status: 401, body: { reasons: [{ field: 'useCache' }] } })
    expect(await strict.get(`/v1/identity/${alice.address}?projectId=other`)).toMatchObject({ status: 401 })
  })
})

const requestAbi = parseAbi(['function resolve(bytes name, bytes data)'])

/** The response of a gateway for names below `offchain.eth`, signed by `by`. */
async function gatewayAnswer(
  url: string,
  { address, by = signer }: { address: Hex; by?: typeof signer },
): Promise<string> {
  const [, sender, request] = /^https:\/\/gateway\.example\/(0x\w{40})\/(0x\w+)\.json$/.exec(url) ?? []
  const [, data] = decodeFunctionData({ abi: requestAbi, data: request as Hex }).args
  const isText = data.startsWith('0x59d1d43c')
  const result = isText
    ? encodeAbiParameters([{ type: 'string' }], ['https://img.example/carol.png'])
    : encodeAbiParameters([{ type: 'address' }], [address])
  const expires = BigInt(Math.floor(Date.now() / 1000) + 600)
  const hash = keccak256(
    encodePacked(
      ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
      ['0x1900', sender as Hex, expires, keccak256(request as Hex), keccak256(result)],
    ),
  )
  const fields = parseAbiParameters('bytes result, uint64 expires, bytes signature')
  return JSON.stringify({ data: encodeAbiParameters(fields, [result, expires, await by.sign({ hash })]) })
}

describe('names whose records are at a gateway (ERC-3668)', () => {
  test('the gateway is queried, and its signed response is used', async () => {
    const publicFetch: PublicFetch = (url) => gatewayAnswer(url, { address: carol.address })
    expect(await identityOf(carol.address, serverFor({ publicFetch }))).toMatchObject({
      name: 'carol.offchain.eth',
      avatar: 'https://img.example/carol.png',
      maxAge: 86_400,
    })
  })

  test('a response that is signed with another key, or that contains another address, is rejected', async () => {
    const by = privateKeyToAccount(`0x${'6'.repeat(64)}`)
    const forged: PublicFetch = (url) => gatewayAnswer(url, { address: carol.address, by })
    expect(await identityOf(carol.address, serverFor({ publicFetch: forged }))).toMatchObject({ name: null })
    const other: PublicFetch = (url) => gatewayAnswer(url, { address: alice.address })
    expect(await identityOf(carol.address, serverFor({ publicFetch: other }))).toMatchObject({ name: null })
  })

  test.each<[string, PublicFetch]>([
    ['does not respond', noGateway],
    ['responds with nonsense', async () => 'nonsense'],
    ['responds with null', async () => 'null'],
    ['responds with a number', async () => '{"data":5}'],
    ['responds with half a byte', async () => '{"data":"0x1"}'],
  ])('if a gateway %s, clients can cache the response for a minute, and the server does not', async (_, broken) => {
    let isBroken = true
    const publicFetch: PublicFetch = (url, request) =>
      isBroken ? broken(url, request) : gatewayAnswer(url, { address: carol.address })
    const server = serverFor({ publicFetch })
    expect(await identityOf(carol.address, server)).toMatchObject({ name: null, maxAge: 60 })
    isBroken = false
    expect(await identityOf(carol.address, server)).toMatchObject({ name: 'carol.offchain.eth', maxAge: 86_400 })
  })

  test('only a few of a resolver’s failing gateways are tried', async () => {
    let requests = 0
    const publicFetch: PublicFetch = async () => {
      requests += 1
      throw new Error('failed')
    }
    await identityOf(carol.address, serverFor({ publicFetch }))
    expect(requests).toBeGreaterThan(0)
    expect(requests).toBeLessThanOrEqual(8)
  })

  test.each([
    'http://gateway.example/{sender}/{data}',
    'https://127.0.0.1/{sender}/{data}',
    'https://[::1]/{data}',
    'https://[::ffff:10.0.0.1]/{data}',
    'https://2130706433/{data}',
    'https://169.254.169.254/latest/meta-data/{data}',
    'https://localhost/{data}',
    'https://gateway.example:8443/{data}',
    'https://user:secret@gateway.example/{data}',
    'file:///etc/passwd?{data}',
    'ftp://gateway.example/{data}',
    'not a url {data}',
  ])('a gateway cannot make the server connect to the operator’s network: %s', async (url) => {
    await ens.registerOffchain('evil.eth', { url, signer: signer.address })
    await ens.setPrimaryName(erin.privateKey, 'erin.evil.eth')
    // Uses the real `publicFetch`, which only reaches public https hosts.
    const server = serverFor({ publicFetch: undefined })
    expect(await identityOf(erin.address, server)).toMatchObject({ name: null, avatar: null, maxAge: 60 })
  })
})

describe('names and faulty nodes', () => {
  test.each([
    { kind: 'down' },
    { kind: 'hang' },
    { kind: 'bad-json' },
    { kind: 'wrong-types' },
    { kind: 'huge', bytes: 5_000_000 },
    { kind: 'status', code: 500 },
  ] as const)(
    'if the node has the fault $kind, the response is 503, never an address without a name, and a second node is used',
    async (fault) => {
      node.break(fault)
      const failed = await serverFor().get(`/v1/identity/${alice.address}`)
      expect(failed).toMatchObject({ status: 503, body: { status: 'FAILED' } })
      expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0)
      if (fault.kind === 'wrong-types') return
      const server = serverFor({ chains: [ensChain({ rpcUrls: [node.url, anvil.url] })] })
      expect(await identityOf(alice.address, server)).toMatchObject({ name: 'alice.eth' })
    },
  )

  test.each([
    { code: -32005, message: 'limit exceeded' },
    { code: -32000, message: 'header not found' },
  ])('if a node rejects calls with $message, the response is 503, and the name is found afterwards', async (error) => {
    const server = serverFor()
    reject = error
    expect(await server.get(`/v1/identity/${alice.address}`)).toMatchObject({ status: 503 })
    reject = undefined
    expect(await identityOf(alice.address, server)).toMatchObject({ name: 'alice.eth' })
  })

  test('if the universal resolver does not exist on the chain, or is a different contract, there is no name', async () => {
    const nowhere = '0x00000000000000000000000000000000000000aa'
    const server = serverFor({ chains: [ensChain({ ens: { universalResolver: nowhere } })] })
    expect(await identityOf(alice.address, server)).toMatchObject({ name: null, maxAge: 60 })
    const create2Deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
    const other = serverFor({ chains: [ensChain({ ens: { universalResolver: create2Deployer } })] })
    expect(await identityOf(alice.address, other)).toMatchObject({ name: null })
  })

  test('a server without ENS and without its own names responds with 503', async () => {
    const server = serverFor({ chains: [ensChain({ ens: undefined })] })
    expect(await server.get(`/v1/identity/${alice.address}`)).toMatchObject({
      status: 503,
      body: { reasons: [{ field: 'address' }] },
    })
  })

  test('many concurrent requests for names block neither each other nor requests for balances', async () => {
    const server = serverFor({ timeoutMs: 5_000 })
    const addresses = Array.from({ length: 90 }, (_, at) => `0x${String(at + 1000).padStart(40, '0')}`)
    const reading = await Promise.all(
      addresses.flatMap((address) => [
        server.get(`/v1/identity/${address}`),
        server.get(`/v1/account/${address}/balance?chainId=${chainId}`),
      ]),
    )
    expect(new Set(reading.map(({ status }) => status))).toEqual(new Set([200]))
  }, 20_000)
})

describe('the server’s own names in ENS', () => {
  const zone = 'shop.eth'
  const profiles = new Map<string, Profile>()
  const find: AccountNames['find'] = async (name) => profiles.get(name)
  const never = async (): Promise<never> => Promise.reject(new Error('not used'))
  const names: AccountNames = {
    zone,
    find,
    findByAddress: async (address) =>
      [...profiles.values()].filter((profile) => profile.addresses['60']?.address === address),
    resolve: createOffchainResolver({ privateKey: `0x${'5'.repeat(64)}`, zone, find, now: Date.now }),
    suggestions: never,
    register: never,
    setAttributes: never,
    setAddress: never,
  }
  const add = (name: string, address: string, attributes = {}) =>
    profiles.set(name, { name, registered_at: '2026-11-28T00:00:00Z', attributes, addresses: { '60': { address } } })
  const server = () => serverFor({ names, publicFetch: fromServer })
  const fromServer: PublicFetch = async (url) => {
    const { pathname } = new URL(url)
    return JSON.stringify((await chainApiServer({ chains: [], names }).get(pathname)).body)
  }
  beforeAll(async () => {
    const url = 'https://connect.shop.example/v1/profile/gateway/{sender}/{data}'
    await ens.registerOffchain(zone, { url, signer: signer.address })
  })

  test('a wallet that only supports ENS resolves a name of this server, its text and its other addresses', async () => {
    add('frank.shop.eth', dave.address, { bio: 'hello' })
    const client = createPublicClient({
      chain: anvil.chain,
      transport: http(),
      ccipRead: {
        request: async ({ data, sender, urls: [url = ''] }) => {
          const text = await fromServer(url.replace('{sender}', sender).replace('{data}', data), {} as never)
          return (JSON.parse(text) as { data: Hex }).data
        },
      },
    })
    const of = { name: 'frank.shop.eth', universalResolverAddress: ens.universalResolver, strict: true }
    expect(await client.getEnsAddress(of)).toBe(dave.address)
    expect(await client.getEnsText({ ...of, key: 'description' })).toBe('hello')
    expect(await client.getEnsText({ ...of, key: '__proto__' })).toBeNull()
    expect(await client.getEnsAddress({ ...of, coinType: 0x80000000n + 10n })).toBeNull()
    expect(await client.getEnsAddress({ ...of, name: 'nobody.shop.eth' })).toBeNull()
  })

  test('a registered name is the identity immediately, and is cached for a day once it is the primary ENS name', async () => {
    const own = server()
    expect(await identityOf(erin.address, own)).toMatchObject({ name: null })
    add('erin.shop.eth', erin.address)
    expect(await identityOf(erin.address, own)).toMatchObject({ name: 'erin.shop.eth', maxAge: 60 })
    await ens.setPrimaryName(erin.privateKey, 'erin.shop.eth')
    expect(await identityOf(erin.address, server())).toMatchObject({ name: 'erin.shop.eth', maxAge: 86_400 })
  })

  test.each([
    ['a request of nothing', '0x'],
    ['another function', '0x12345678'],
    ['text', 'hello'],
    ['half a byte', '0x123'],
  ])('%s is rejected with 400', async (_, data) => {
    const answer = await chainApiServer({ chains: [], names }).get(`/v1/profile/gateway/${alice.address}/${data}`)
    expect(answer).toMatchObject({ status: 400, body: { reasons: [{ field: 'data' }] } })
  })

  test('without a key, the response is 503, and if the sender is not an address, it is 400', async () => {
    const { resolve: _, ...keyless } = names
    const without = chainApiServer({ chains: [], names: keyless })
    expect(await without.get(`/v1/profile/gateway/${alice.address}/0x`)).toMatchObject({ status: 503 })
    const answer = await chainApiServer({ chains: [], names }).get('/v1/profile/gateway/alice/0x')
    expect(answer).toMatchObject({ status: 400, body: { reasons: [{ field: 'sender' }] } })
  })
})
