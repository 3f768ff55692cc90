import type { Server as NodeServer } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { createLog, createNodeServer, readConfig } from '@latchkey/server'
import { type LocalChain, testAccounts } from '@latchkey/testing'
import { type Anvil, deployTestToken, startAnvil, type TestToken } from '@latchkey/testing/node'
import { builtFrame } from './builtFrame.ts'
import { localFetch } from './localFetch.ts'
import { startSolana } from './localSolanaNode.ts'
import { createLoginServices } from './loginServices.ts'
import { createInbox } from './mailInbox.ts'
import { createSmartAccountServices } from './smartAccountServices.ts'
import { type StaticSite, type StaticSitePolicy, serveFolder, strictHeaders } from './staticSite.ts'
import { directoryWith, testWallet } from './testWallet.ts'

/** The configuration of a page in the dev environment, served as `/world.json`. */
export interface DevEnvironmentInfo {
  readonly demo: string
  readonly connect: string
  /** The WalletConnect relay. */
  readonly relay: string
  /** The embedded wallet's frame. */
  readonly keys: string
  /** The inbox that receives all mail. */
  readonly mail: string
  /** The web wallet for pairing, if it is served. */
  readonly wallet: string
  /** The mock social providers. */
  readonly login: string
  /** A paymaster (ERC-7677) for pages that configure their own. */
  readonly paymaster: string
  readonly projectId: string
  readonly chains: readonly LocalChain[]
  /** The local Solana node. It starts with its first request. */
  readonly solana: { readonly chainId: string; readonly url: string }
  readonly token: TestToken & { readonly chainId: number }
  /** Accounts that are funded on every chain. Their keys are public. */
  readonly accounts: readonly { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }[]
}

/** A complete local environment for Latchkey. */
export interface DevEnvironment {
  readonly port: number
  readonly facts: DevEnvironmentInfo
  /** Headers for your own page under the strict content security policy. */
  readonly headers: Readonly<Record<string, string>>
  /** Stops every process and listener that the environment started. */
  stop(): Promise<void>
}

/**
 * Starts two EVM chains with funded accounts and a test token, and the server, on one port with routing by host name:
 * `connect.demo.localhost` is the server, `keys.` the embedded wallet's frame, `mail.` the inbox, `login.` the mock social
 * providers, `pay.` a paymaster, `wallet.` a web wallet, and `demo.localhost` the app in `site`. Every other host name is the server
 * too. Login dependencies, including the smart account contracts (on the first chain), start with the first login; the bundler
 * starts with its first request.
 */
export async function startDevEnvironment({
  port = 4100,
  site,
  wallet,
  frame,
  identify = false,
  sites = {},
  sponsored = [],
  dataFolder = './.latchkey/dev',
  say = () => {},
}: {
  port?: number
  /** The folder of a built app, served at `demo.localhost` under the strict content security policy. */
  site?: string
  /** The folder of the built web wallet, served at `wallet.demo.localhost`. */
  wallet?: string
  /** The folder of a built key frame. [the package's] */
  frame?: string
  /** Whether the key frame identifies visitors with `id.demo.localhost`. */
  identify?: boolean
  /** Additional origins, by host name. */
  sites?: Readonly<
    Record<
      string,
      (environment: { facts: DevEnvironmentInfo; headers: Readonly<Record<string, string>> }) => StaticSite
    >
  >
  /** Sites whose users' fees are sponsored, in addition to the demo: `shop` is `shop.demo.localhost`. */
  sponsored?: readonly string[]
  dataFolder?: string
  say?: (line: string) => void
} = {}): Promise<DevEnvironment> {
  const opened: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    const chains: Anvil[] = []
    for (const { chainId, wanted, name } of [
      { chainId: 31337, wanted: 8545, name: 'Bakery Chain' },
      { chainId: 31338, wanted: 8546, name: 'Market Chain' },
    ]) {
      say(`Starting chain ${chainId}`)
      const chain = await anvilNear(wanted, { chainId, name, say })
      opened.push(() => chain.stop())
      chains.push(chain)
    }
    const [home] = chains as [Anvil, ...Anvil[]]
    say('Funding test accounts')
    const token = await deployTestToken({ chain: home.chain })

    const listener = await listenNear(port)
    opened.push(() => closed(listener.server))
    say('Starting the server')
    const folder = listener.port === 4100 ? dataFolder : `${dataFolder}-${listener.port}`
    const origin = (name: string) => `http://${name}demo.localhost:${listener.port}`
    const keys = origin('keys.')
    const solana = await startSolana()
    opened.push(() => solana.close())
    const sender = 'Demo shop <wallet@demo.localhost>'
    const inbox = createInbox({ from: sender })
    opened.push(() => inbox.close())
    const login = createLoginServices({
      origin: origin('login.'),
      keys,
      chain: { chainId: `eip155:${home.chain.id}`, rpcUrl: home.url },
    })
    opened.push(() => login.close())
    const smart = createSmartAccountServices({ chain: home.chain, signerKey: testAccounts[4].privateKey, say })
    opened.push(() => smart.close())
    const networks = [...chains.map(({ chain }) => `eip155:${chain.id}`), solana.chainId]
    const own = wallet === undefined ? [] : [testWallet({ origin: origin('wallet.'), chains: networks })]
    const assembled = await createNodeServer({
      config: readConfig({
        DATA_DIR: folder,
        ...(own.length > 0 ? { WALLETS_FILE: await directoryWith(own, folder) } : {}),
        KEYS_URL: keys,
        ...(identify ? { IDENTIFY_URL: origin('id.') } : {}),
        // Required by the configuration, but not used: `inbox.mailer` starts its SMTP server with the first mail.
        SMTP_URL: 'smtp://127.0.0.1',
        MAIL_FROM: sender,
        RPC_URLS: [
          ...chains.map(({ chain, url }) => `eip155:${chain.id}=${url}`),
          `${solana.chainId}=${solana.url}`,
        ].join(';'),
        RPC_EXTRA_METHODS: 'anvil_*',
        SMART_SESSIONS: 'on',
      }),
      log: createLog({ level: 'warn', write: (line) => process.stderr.write(line) }),
      keys: {
        mailer: inbox.mailer,
        social: login.social,
        farcaster: login.farcaster,
        fetch: localFetch,
        frameFiles: builtFrame(frame),
        smart: smart.ports({
          sponsored: [origin(''), ...sponsored.map((name) => origin(`${name}.`))],
          service: origin('pay.'),
        }),
        policy: {
          sessionMs: 7 * 24 * 60 * 60_000,
          // Configured as an operator might, so that device approval can be tried without a second server.
          deviceHoldMs: 24 * 60 * 60_000,
          approveDevices: (email) => email.endsWith('@careful.example'),
          mailsPerHour: 2000,
        },
      },
    })
    opened.push(() => assembled.close())

    listener.server.on('upgrade', assembled.upgrade)
    const facts: DevEnvironmentInfo = {
      demo: origin(''),
      connect: origin('connect.'),
      relay: origin('connect.').replace(/^http/, 'ws'),
      keys,
      mail: origin('mail.'),
      wallet: origin('wallet.'),
      login: origin('login.'),
      paymaster: origin('pay.'),
      projectId: 'local',
      chains: chains.map(({ chain }) => chain),
      solana: { chainId: solana.chainId, url: solana.url },
      token: { ...token, chainId: home.chain.id },
      accounts: testAccounts.slice(0, 3),
    }
    const policy: StaticSitePolicy = {
      connect: facts.connect,
      rpc: [...chains.map(({ url }) => url), solana.url, facts.relay],
      frames: [keys],
    }
    const headers = strictHeaders(policy)
    const byHost = new Map<string, StaticSite>([
      ['mail.demo.localhost', inbox.site],
      ['login.demo.localhost', login.site],
      ['pay.demo.localhost', smart.site],
    ])
    if (site !== undefined)
      byHost.set('demo.localhost', withFacts(serveFolder({ folder: site, headers }), facts, headers))
    if (wallet !== undefined) {
      // The wallet shows icons from arbitrary origins. Their servers must not receive a referrer.
      const headers = {
        ...strictHeaders({ ...policy, frames: [], images: ['https:'] }),
        'referrer-policy': 'no-referrer',
      }
      byHost.set('wallet.demo.localhost', withFacts(serveFolder({ folder: wallet, headers }), facts, headers))
    }
    for (const [host, make] of Object.entries(sites)) byHost.set(host, make({ facts, headers }))
    const keysHost = new URL(keys).hostname
    listener.serve((request) => {
      const host = hostOf(request)
      // A failed deployment is retried and reported with the first bundler request.
      if (host === keysHost && request.method === 'POST') smart.deploy().catch(() => undefined)
      return (byHost.get(host) ?? assembled.fetch)(request)
    })
    return { port: listener.port, facts, headers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function withFacts(site: StaticSite, facts: DevEnvironmentInfo, headers: Readonly<Record<string, string>>): StaticSite {
  return async (request) =>
    new URL(request.url).pathname === '/world.json'
      ? Response.json(facts, { headers: { ...headers, 'cache-control': 'no-store' } })
      : site(request)
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).replace(/:\d+$/, '').toLowerCase()
}

/** Starts anvil on `wanted`, or on any free port if it is in use. */
async function anvilNear(
  wanted: number,
  options: { chainId: number; name: string; say: (line: string) => void },
): Promise<Anvil> {
  return (await startAnvil({ ...options, port: wanted }).catch(() => undefined)) ?? startAnvil(options)
}

interface Listener {
  readonly server: NodeServer
  readonly port: number
  serve(site: StaticSite): void
}

/** Listens on `port`, on one of the next twenty, or on any free port. Responds with 503 until `serve` is called. */
async function listenNear(port: number): Promise<Listener> {
  let site: StaticSite = async () => new Response('Starting', { status: 503, headers: { 'retry-after': '1' } })
  const server = createAdaptorServer({ fetch: (request: Request) => site(request) }) as NodeServer
  const candidates = port === 0 ? [0] : [...Array.from({ length: 20 }, (_, step) => port + step), 0]
  for (const candidate of candidates) {
    if (!(await listens(server, candidate))) continue
    const address = server.address()
    return {
      server,
      port: typeof address === 'object' && address ? address.port : candidate,
      serve: (next) => {
        site = next
      },
    }
  }
  throw new Error('No free port was found on this machine.')
}

function listens(server: NodeServer, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', done)
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    const done = (): void => {
      server.off('error', failed)
      resolve(true)
    }
    server.once('error', failed)
    server.once('listening', done)
    server.listen(port, '127.0.0.1')
  })
}

function closed(server: NodeServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
