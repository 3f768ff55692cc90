import {
  type Client,
  createClient,
  createProposer,
  createResponder,
  type Granted,
  memoryRecords,
  messageOf,
  type SessionEvents,
  type Socket,
  walletSessions,
} from '@latchkey/walletconnect'
import { SignClient } from '@walletconnect/sign-client'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import { expect, test, type World } from './support/test.ts'

// Our client against the last official one that is Apache-2.0, both ways, over our relay. The oracle is run and never read.
// Outside of tests it asks a verify service of its vendor first, which nobody answers here.
process.env.IS_VITEST = 'true'

const metadata = { name: 'A page', description: 'For a test', url: 'https://shop.example', icons: [] }

// Node knows no names under localhost.
const relayOf = ({ port }: World): string => `ws://127.0.0.1:${port}`

type Oracle = Awaited<ReturnType<typeof SignClient.init>>

function oracleAt(world: World, name: string): Promise<Oracle> {
  return SignClient.init({
    projectId: 'local',
    relayUrl: relayOf(world),
    metadata,
    telemetryEnabled: false,
    storageOptions: { database: ':memory:' },
    customStoragePrefix: name,
  })
}

function ourClient(world: World): Promise<Client> {
  return createClient({
    metadata,
    relay: relayOf(world),
    projectId: 'local',
    records: memoryRecords(),
    connect: (url) => new WebSocket(url) as unknown as Socket,
  })
}

function granted(
  address: string,
  ...more: string[]
): Record<'eip155', Granted[string] & { chains: string[]; methods: string[]; events: string[]; accounts: string[] }> {
  return {
    eip155: {
      chains: ['eip155:31337'],
      methods: ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4'],
      events: ['chainChanged', 'accountsChanged'],
      accounts: [address, ...more].map((one) => `eip155:31337:${one}`),
    },
  }
}

const optionalNamespaces = {
  eip155: {
    chains: ['eip155:31337'],
    methods: ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4'],
    events: ['chainChanged', 'accountsChanged'],
  },
}

function next<Name extends keyof SessionEvents>(client: Client, name: Name): Promise<SessionEvents[Name]> {
  return new Promise((resolve) => {
    const off = client.sessions.on(name, (event) => {
      off()
      resolve(event)
    })
  })
}

test('our page and their wallet: connect, sign, refuse, event, update, extend, ping, delete', async ({ world }) => {
  const [signer, other] = world.facts.accounts.map(({ privateKey }) => privateKeyToAccount(privateKey))
  if (!signer || !other) throw new Error('The world has accounts')
  const wallet = await oracleAt(world, 'wallet')
  const client = await ourClient(world)
  const offer = await createProposer(client.peer, client.sessions).propose({ optionalNamespaces })
  wallet.on('session_proposal', ({ id }) => {
    void wallet.approve({ id, namespaces: granted(signer.address) }).then(({ acknowledged }) => acknowledged())
  })
  wallet.on('session_request', ({ topic, id, params: { request } }) => {
    const answer = async () =>
      request.method === 'personal_sign'
        ? { id, jsonrpc: '2.0', result: await signer.signMessage({ message: { raw: request.params[0] } }) }
        : { id, jsonrpc: '2.0', error: { code: 5000, message: 'User rejected.' } }
    void answer().then((response) => wallet.respond({ topic, response }))
  })
  await wallet.core.pairing.pair({ uri: offer.uri })
  const { topic, namespaces } = await offer.answered
  expect(namespaces).toEqual(granted(signer.address))

  const chainId = 'eip155:31337'
  const sign = { chainId, method: 'personal_sign', params: ['0x68690a', signer.address] }
  expect(await client.sessions.request(topic, sign)).toBe(await signer.signMessage({ message: { raw: '0x68690a' } }))
  await expect(
    client.sessions.request(topic, { chainId, method: 'eth_sendTransaction', params: [{}] }),
  ).rejects.toMatchObject({ code: 5000 })
  expect(await client.sessions.ping(topic)).toBe(true)

  const event = next(client, 'event')
  await wallet.emit({ topic, chainId, event: { name: 'chainChanged', data: 31337 } })
  expect(await event).toMatchObject({ chainId, name: 'chainChanged', data: 31337 })
  const updated = next(client, 'updated')
  const more = granted(signer.address, other.address)
  await (await wallet.update({ topic, namespaces: more })).acknowledged()
  expect((await updated).namespaces).toEqual(more)
  await (await wallet.extend({ topic })).acknowledged()
  await wallet.ping({ topic })
  const ended = next(client, 'ended')
  await wallet.disconnect({ topic, reason: { code: 6000, message: 'Bye' } })
  expect((await ended).session.topic).toBe(topic)
  client.close()
})

test('their page and our wallet: connect, sign, refuse, event, update, extend, ping, delete', async ({ world }) => {
  const [signer, other] = world.facts.accounts.map(({ privateKey }) => privateKeyToAccount(privateKey))
  if (!signer || !other) throw new Error('The world has accounts')
  const page = await oracleAt(world, 'page')
  const client = await ourClient(world)
  const responder = createResponder(client.peer, client.sessions)
  responder.on('proposal', ({ id }) => void responder.approve(id, { namespaces: granted(signer.address) }))
  client.sessions.on('request', ({ id, asked: { request }, session: { topic } }) => {
    const [raw] = request.params as [`0x${string}`]
    void (request.method === 'personal_sign'
      ? signer.signMessage({ message: { raw } }).then((result) => responder.respond({ topic, id }, { result }))
      : responder.respond({ topic, id }, { error: { code: 5000, message: 'User rejected.' } }))
  })
  const { uri = '', approval } = await page.connect({ optionalNamespaces })
  await responder.pair(uri)
  const { topic } = await approval()

  const chainId = 'eip155:31337'
  expect(
    await page.request({ topic, chainId, request: { method: 'personal_sign', params: ['0x68690a', signer.address] } }),
  ).toBe(await signer.signMessage({ message: { raw: '0x68690a' } }))
  await expect(
    page.request({ topic, chainId, request: { method: 'eth_sendTransaction', params: [{}] } }),
  ).rejects.toMatchObject({ code: 5000 })
  await page.ping({ topic })

  const heard: string[] = []
  const all = new Promise<void>((resolve) => {
    for (const name of ['session_event', 'session_update', 'session_extend', 'session_delete'] as const)
      page.on(name, () => {
        heard.push(name)
        if (name === 'session_delete') resolve()
      })
  })
  const { emit, update, extend } = walletSessions(client.peer, client.sessions)
  await emit(topic, chainId, { name: 'chainChanged', data: 31337 })
  await update(topic, granted(signer.address, other.address))
  await extend(topic)
  expect(await client.sessions.ping(topic)).toBe(true)
  await client.sessions.end(topic)
  await all
  expect(heard).toEqual(['session_event', 'session_update', 'session_extend', 'session_delete'])
  client.close()
})

const payload = {
  chains: ['eip155:31337'],
  domain: 'shop.example',
  aud: 'https://shop.example/',
  nonce: '0123456789abcdef',
  iat: '2026-11-21T12:00:00.000Z',
  statement: 'Sign in to the shop.',
}

test('our page and their wallet sign in with one question [R4.12]', async ({ world }) => {
  const signer = privateKeyToAccount(world.facts.accounts[0]?.privateKey ?? '0x')
  const wallet = await oracleAt(world, 'wallet-sign-in')
  const client = await ourClient(world)
  const offer = await createProposer(client.peer, client.sessions).authenticate({
    optionalNamespaces,
    payload,
    methods: ['personal_sign'],
  })
  const iss = `did:pkh:eip155:31337:${signer.address}`
  const texts: string[] = []
  wallet.on('session_authenticate', ({ id, params: { authPayload } }) => {
    const approve = async (): Promise<void> => {
      const message = wallet.formatAuthMessage({ request: authPayload, iss })
      texts.push(message)
      const { chains: _chains, type: _type, ...p } = authPayload
      await wallet.approveSessionAuthenticate({
        id,
        auths: [
          { h: { t: 'caip122' }, p: { ...p, iss }, s: { t: 'eip191', s: await signer.signMessage({ message }) } },
        ],
      })
    }
    void approve()
  })
  await wallet.core.pairing.pair({ uri: offer.uri })
  const { cacaos, session } = await offer.answered
  const [cacao] = cacaos
  if (!cacao) throw new Error('Somebody signed')
  // What they signed is what we would write.
  expect(messageOf(cacao.p, iss)).toBe(texts[0])
  expect(cacao.s.s).toBe(await signer.signMessage({ message: messageOf(cacao.p, iss) }))
  expect(session?.namespaces.eip155?.accounts).toEqual([`eip155:31337:${signer.address}`])
  expect(await client.sessions.ping(session?.topic ?? '')).toBe(true)
  client.close()
})

test('their page and our wallet sign in with one question [R4.12]', async ({ world }) => {
  const signer = privateKeyToAccount(world.facts.accounts[0]?.privateKey ?? '0x')
  const page = await oracleAt(world, 'page-sign-in')
  const client = await ourClient(world)
  const responder = createResponder(client.peer, client.sessions)
  const iss = `did:pkh:eip155:31337:${signer.address}`
  // Both questions come over the pairing; a wallet that knows both answers the one.
  responder.on('proposal', () => {})
  responder.on('signIn', ({ id, payload: { chains: _chains, type: _type, ...p } }) => {
    const approve = async (): Promise<void> => {
      const s = await signer.signMessage({ message: messageOf(p, iss) })
      await responder.signIn(id, [{ h: { t: 'caip122' }, p: { ...p, iss }, s: { t: 'eip191', s } }])
    }
    void approve()
  })
  const { aud: uri, ...rest } = payload
  const { uri: pairing, response } = await page.authenticate({ ...rest, uri, methods: ['personal_sign'] })
  await responder.pair(pairing)
  const { auths, session } = await response()
  expect(auths?.[0]?.p.iss).toBe(iss)
  expect(session?.namespaces.eip155?.accounts).toEqual([`eip155:31337:${signer.address}`])
  await page.ping({ topic: session?.topic ?? '' })
  client.close()
})
