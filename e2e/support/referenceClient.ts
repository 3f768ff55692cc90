import {
  type Client,
  createClient,
  createProposer,
  createResponder,
  type GrantedNamespaces,
  type KeyValueStorage,
  memoryStorage,
  type ProposedNamespaces,
  type Proposer,
  type Responder,
  type SessionEvents,
  type Socket,
  type WalletSessions,
  walletSessions,
} from '@latchkey/walletconnect'
import { SignClient } from '@walletconnect/sign-client'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import { test as base, expect, type World } from './fixtures.ts'

// The last official client under Apache-2.0 serves as a test oracle. It runs over our relay, and its code is never read. Outside
// of tests, the client first contacts its vendor's verify service, which is unreachable here.
process.env.IS_VITEST = 'true'

/** The official client. */
export type ReferenceClient = Awaited<ReturnType<typeof SignClient.init>>

/** Our client, which can act as the page or the wallet. */
export interface OwnClient extends Client {
  readonly proposer: Proposer
  readonly responder: Responder
  readonly wallet: WalletSessions
}

/** The metadata for both sides. */
export const metadata = { name: 'A page', description: 'For a test', url: 'https://shop.example', icons: [] }

/** Returns the URL of the local environment's relay. The URL uses an IP address because Node does not resolve `*.localhost`. */
export const relayOf = ({ port }: World): string => `ws://127.0.0.1:${port}`

/** Namespaces that are compatible with both clients' types. */
export type Namespaces = Record<
  string,
  GrantedNamespaces[string] & { chains: string[]; methods: string[]; events: string[]; accounts: string[] }
>
/** Requested namespaces that are compatible with both clients' types. */
export type RequestedNamespaces = Record<
  string,
  ProposedNamespaces[string] & { chains: string[]; methods: string[]; events: string[] }
>

/** The CAIP-2 chain ID of the local chain. */
export const chainId = 'eip155:31337'

/** The namespaces that the page requests by default. */
export const optionalNamespaces: RequestedNamespaces = {
  eip155: {
    chains: [chainId],
    methods: ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4'],
    events: ['chainChanged', 'accountsChanged'],
  },
}

/** Returns the namespaces that a wallet with these addresses grants in response. */
export function granted(...addresses: string[]): Namespaces {
  return {
    eip155: {
      ...(optionalNamespaces.eip155 as RequestedNamespaces[string]),
      accounts: addresses.map((address) => `${chainId}:${address}`),
    },
  }
}

interface Fixtures {
  /** Creates an official client. */
  officialClient(): Promise<ReferenceClient>
  /** Creates our client. If `records` is set, restores the client as a reload would. */
  ours(options?: { readonly records?: KeyValueStorage }): Promise<OwnClient>
  /** The accounts for the local environment's first two keys. */
  signers: readonly [ReturnType<typeof privateKeyToAccount>, ReturnType<typeof privateKeyToAccount>]
}

let made = 0

/** Playwright's `test` without a page, but with official clients and ours, which are closed when the test ends. */
export const test = base.extend<Fixtures>({
  // Override `consoleCheck` so that no browser is opened, because these tests do not need one.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
  consoleCheck: async ({}, use) => {
    await use(undefined)
  },
  officialClient: async ({ world }, use) => {
    const all: ReferenceClient[] = []
    await use(async () => {
      made++
      const client = await SignClient.init({
        projectId: 'local',
        relayUrl: relayOf(world),
        metadata,
        telemetryEnabled: false,
        // The client would log errors that the tests cause on purpose.
        logger: 'silent',
        // By default, the client's wallet delivers requests one at a time, a second apart.
        signConfig: { disableRequestQueue: true },
        storageOptions: { database: ':memory:' },
        customStoragePrefix: `officialClient-${made}`,
      })
      all.push(client)
      return client
    })
    for (const { core } of all) await core.relayer.transportClose()
  },
  ours: async ({ world }, use) => {
    const all: Client[] = []
    await use(async ({ records: storage = memoryStorage() } = {}) => {
      const client = await createClient({
        metadata,
        relay: relayOf(world),
        projectId: 'local',
        storage,
        connect: (url) => new WebSocket(url) as unknown as Socket,
      })
      all.push(client)
      const { rpc, sessions } = client
      return {
        ...client,
        get state() {
          return client.state
        },
        proposer: createProposer(rpc, sessions),
        responder: createResponder(rpc, sessions),
        wallet: walletSessions(rpc, sessions),
      }
    })
    for (const client of all) client.close()
  },
  signers: async ({ world }, use) => {
    const [first, second] = world.facts.accounts.map(({ privateKey }) => privateKeyToAccount(privateKey))
    if (!first || !second) throw new Error('The environment has too few accounts')
    await use([first, second])
  },
})

export { expect }

/** Resolves to the next `name` event from our client. */
export function next<Name extends keyof SessionEvents>(
  client: Pick<Client, 'sessions'>,
  name: Name,
): Promise<SessionEvents[Name]> {
  return new Promise((resolve) => {
    const off = client.sessions.on(name, (event) => {
      off()
      resolve(event)
    })
  })
}

/** The two ways to pair our client with the official client. */
export const pairings = ['our page and their wallet', 'their page and our wallet'] as const
/** A way to pair our client with the official client. */
export type ClientPairing = (typeof pairings)[number]

/** Controls the page's side of a session in either client. */
export interface PageController {
  readonly topic: string
  request(request: { chainId: string; method: string; params: unknown; life?: number }): Promise<unknown>
  ping(): Promise<void>
  end(): Promise<void>
  /** Resolves to the next `name` event that the page receives. */
  nextEvent(name: 'event' | 'updated' | 'extended' | 'ended'): Promise<unknown>
}

/** Controls the wallet's side of a session in either client. */
export interface PeerWalletController {
  /** Responds to future requests with the result of `how`. */
  answer(
    how: (params: { method: string; params: unknown; chainId: string; expiry: number | undefined }) => Promise<Answer>,
  ): void
  update(namespaces: Namespaces): Promise<void>
  extend(): Promise<void>
  emit(chain: string, event: { name: string; data: unknown }): Promise<void>
  ping(): Promise<void>
  end(reason: { code: number; message: string }): Promise<void>
  ended(): Promise<void>
}

/** A response from the wallet. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

/** Connects a page and a wallet, one of which uses our client and the other the official client. */
export async function connected(
  way: ClientPairing,
  { officialClient, ours }: Pick<Fixtures, 'officialClient' | 'ours'>,
  { asking = optionalNamespaces, namespaces }: { asking?: RequestedNamespaces; namespaces: Namespaces },
): Promise<{ page: PageController; wallet: PeerWalletController; client: OwnClient; them: ReferenceClient }> {
  const [client, them] = [await ours(), await officialClient()]
  if (way === 'our page and their wallet') {
    them.on('session_proposal', ({ id }) => void them.approve({ id, namespaces }))
    const offer = await client.proposer.propose({ optionalNamespaces: asking })
    await them.core.pairing.pair({ uri: offer.uri })
    const { topic } = await offer.settled
    return { page: ownPageController(client, topic), wallet: referenceWalletController(them, topic), client, them }
  }
  let approving: Promise<unknown> | undefined
  client.responder.on('proposal', ({ id }) => {
    approving = client.responder.approve(id, { namespaces })
  })
  const { uri = '', approval } = await them.connect({ optionalNamespaces: asking })
  await client.responder.pair(uri)
  const { topic } = await approval()
  await approving
  return { page: theirPage(them, topic), wallet: ourWallet(client, topic), client, them }
}

/** Controls the page's side of a session in our client. */
export function ownPageController(client: OwnClient, topic: string): PageController {
  const { sessions } = client
  return {
    topic,
    request: ({ life: ttl, ...request }) => sessions.request(topic, request, { ttl }),
    async ping() {
      if (!(await sessions.ping(topic))) throw new Error('The peer does not respond')
    },
    end: () => sessions.disconnect(topic),
    nextEvent: (name) => next(client, name),
  }
}

function theirPage(client: ReferenceClient, topic: string): PageController {
  const names = {
    event: 'session_event',
    updated: 'session_update',
    extended: 'session_extend',
    ended: 'session_delete',
  }
  return {
    topic,
    request: ({ life: ttl, chainId, ...request }) =>
      client.request({ topic, chainId, request, ...(ttl === undefined ? {} : { expiry: ttl }) }),
    ping: () => client.ping({ topic }),
    end: () => client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } }),
    nextEvent: (name) => new Promise((resolve) => client.once(names[name] as 'session_event', resolve)),
  }
}

function ourWallet(client: OwnClient, topic: string): PeerWalletController {
  const { sessions, responder, wallet } = client
  return {
    answer(how) {
      sessions.on('request', ({ id, request: { chainId, request } }) => {
        const { method, params, expiryTimestamp: expiry } = request
        // The test can end before the relay has acknowledged the response.
        void how({ method, params, chainId, expiry }).then((answer) =>
          responder.respond({ topic, id }, answer).catch(() => {}),
        )
      })
    },
    update: (namespaces) => wallet.update(topic, namespaces),
    extend: () => wallet.extend(topic),
    emit: (chain, event) => wallet.emit(topic, chain, event),
    async ping() {
      if (!(await sessions.ping(topic))) throw new Error('The peer does not respond')
    },
    end: (reason) => sessions.disconnect(topic, reason),
    ended: async () => void (await next(client, 'ended')),
  }
}

/** Controls the wallet's side of a session in the official client. */
export function referenceWalletController(client: ReferenceClient, topic: string): PeerWalletController {
  return {
    answer(how) {
      client.on('session_request', ({ id, params: { chainId, request } }) => {
        const { method, params, expiryTimestamp: expiry } = request
        void how({ method, params, chainId, expiry }).then((answer) =>
          client.respond({ topic, response: { id, jsonrpc: '2.0', ...answer } as never }),
        )
      })
    },
    // Do not wait for `acknowledged`, which misses an immediate response. Tests check what the page receives instead.
    update: async (namespaces) => void (await client.update({ topic, namespaces })),
    extend: async () => void (await client.extend({ topic })),
    emit: (chain, event) => client.emit({ topic, chainId: chain, event }),
    ping: () => client.ping({ topic }),
    end: (reason) => client.disconnect({ topic, reason }),
    ended: () => new Promise((resolve) => client.once('session_delete', () => resolve())),
  }
}
