import { testAccounts } from '@latchkey/testing'
import type { DevEnvironmentInfo } from './environmentInfo.ts'
import { pagePolicy, type SiteFactory, sitesByHost } from './environmentSites.ts'
import { startChains } from './localChains.ts'
import { deployLocalEns } from './localEns.ts'
import { listenNear } from './localListener.ts'
import { localProjectId, openLocalServer } from './localServer.ts'
import { startSolana } from './localSolanaNode.ts'
import { createInbox } from './mailInbox.ts'
import { createMockLoginServices } from './mockLoginServices.ts'
import { startMockOnramp } from './mockOnramp.ts'
import { createSmartAccountServices } from './smartAccountServices.ts'
import { type StaticSite, strictHeaders } from './staticSite.ts'
import { writeChainsFile } from './writeChainsFile.ts'

/** The options of the dev environment. */
export interface DevEnvironmentOptions {
  /** The port of the server. If the port is in use, the next free port is used. Defaults to 4100. */
  readonly port?: number
  /**
   * The origins of your app, such as `http://demo.localhost:5173`. Required for pages that are not on localhost and for sponsored
   * fees.
   */
  readonly origins?: readonly string[]
  /** The folder of a built app, served at `demo.localhost` under the strict content security policy. */
  readonly site?: string
  /** The folder of the built web wallet, served at `wallet.demo.localhost`. */
  readonly wallet?: string
  /** The folder of a built key frame. Defaults to the build in the `@latchkey/frame` package. */
  readonly frame?: string
  /** Whether the key frame identifies visitors through `id.demo.localhost`. */
  readonly identify?: boolean
  /** Additional sites, keyed by host name. */
  readonly sites?: Readonly<Record<string, SiteFactory>>
  /**
   * Subdomains of `demo.localhost` whose users' fees are sponsored, in addition to the demo. `shop` stands for
   * `shop.demo.localhost`.
   */
  readonly sponsored?: readonly string[]
  /** The server's data folder. On a port other than 4100, `-<port>` is appended. Defaults to `./.latchkey/dev`. */
  readonly dataFolder?: string
  /** Called with a line of text for each startup step. By default, nothing is printed. */
  readonly say?: (line: string) => void
}

/** A complete local environment for Latchkey. */
export interface DevEnvironment {
  /** The port of all origins, which can differ from the requested port. */
  readonly port: number
  /** The URLs, chains, token and accounts that a page or test needs. */
  readonly facts: DevEnvironmentInfo
  /** The headers for your own page, with the strict content security policy. */
  readonly headers: Readonly<Record<string, string>>
  /** Stops every process and listener that the environment started. */
  stop(): Promise<void>
}

/**
 * Starts two EVM chains with funded accounts, a test token and an exchange, and the server. All sites share one port and are selected by host
 * name: `connect.demo.localhost` is the server, `keys.` the embedded wallet's frame, `mail.` the inbox, `login.` the mock social
 * providers, `buy.` a mock seller of crypto, `pay.` a paymaster, `wallet.` a web wallet, and `demo.localhost` the app in `site`.
 * Every other host name also reaches the server; `127.0.0.1` also serves the inbox's `/mails.json`. The mock login services start,
 * and the smart account contracts are deployed on the first chain, when a user first logs in. The bundler starts with its first request.
 *
 * @example
 * // In the global setup of your browser tests:
 * const environment = await startDevEnvironment({ say: console.log })
 * process.env.VITE_LATCHKEY_SERVER = environment.facts.connect
 * return () => environment.stop()
 */
export async function startDevEnvironment({
  port = 4100,
  origins = [],
  site,
  wallet,
  frame,
  identify = false,
  sites = {},
  sponsored = [],
  dataFolder = './.latchkey/dev',
  say = () => {},
}: DevEnvironmentOptions = {}): Promise<DevEnvironment> {
  const opened: (() => Promise<unknown>)[] = []
  const defer = (close: () => Promise<unknown>): void => {
    opened.push(close)
  }
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    const { chains, token, exchange } = await startChains({ say, defer })
    const [home, ...others] = chains
    const listener = await listenNear(port)
    defer(listener.close)
    say('Starting the server')
    const origin = (name: string) => `http://${name}demo.localhost:${listener.port}`
    const names = await deployLocalEns({ chain: home.chain, server: origin('connect.'), say })
    const solana = await startSolana()
    defer(() => solana.close())
    const from = 'Demo shop <wallet@demo.localhost>'
    const inbox = createInbox({ from })
    defer(() => inbox.close())
    const login = createMockLoginServices({
      origin: origin('login.'),
      keys: origin('keys.'),
      chain: { chainId: `eip155:${home.chain.id}`, rpcUrl: home.url },
    })
    defer(() => login.close())
    const smart = createSmartAccountServices({ chain: home.chain, signerKey: testAccounts[4].privateKey, say })
    defer(() => smart.close())
    const onramp = await startMockOnramp({
      origin: origin('buy.'),
      chains: chains.map(({ chain }) => chain),
      token: { ...token, chainId: home.chain.id },
    })
    defer(() => onramp.close())
    const folder = listener.port === 4100 ? dataFolder : `${dataFolder}-${listener.port}`
    const server = await openLocalServer({
      folder,
      chainsFile: await writeChainsFile({
        folder,
        chains: [home.chain, ...others.map(({ chain }) => chain)],
        token,
        exchange,
        names,
        solana,
      }),
      urls: {
        keys: origin('keys.'),
        identify: identify ? origin('id.') : undefined,
        wallet: wallet === undefined ? undefined : origin('wallet.'),
      },
      frame,
      rpcUrls: {
        ...Object.fromEntries(chains.map(({ chain, url }) => [`eip155:${chain.id}`, url])),
        [solana.chainId]: solana.url,
      },
      mail: { from, mailer: inbox.mailer },
      login,
      onramp: onramp.credentials,
      smart: smart.ports({
        sponsored: [origin(''), ...sponsored.map((name) => origin(`${name}.`)), ...origins],
        service: origin('pay.'),
      }),
      origins,
    })
    defer(() => server.close())

    listener.server.on('upgrade', server.upgrade)
    const facts: DevEnvironmentInfo = {
      demo: origin(''),
      connect: origin('connect.'),
      relay: origin('connect.').replace(/^http/, 'ws'),
      keys: origin('keys.'),
      mail: origin('mail.'),
      wallet: origin('wallet.'),
      login: origin('login.'),
      buy: origin('buy.'),
      paymaster: origin('pay.'),
      projectId: localProjectId,
      chains: chains.map(({ chain }) => chain),
      solana: { chainId: solana.chainId, url: solana.url, token: solana.token },
      token: { ...token, chainId: home.chain.id },
      exchange,
      names,
      accounts: testAccounts.slice(0, 3),
    }
    const hosts = new Map<string, StaticSite>([
      ['mail.demo.localhost', inbox.site],
      ['login.demo.localhost', login.site],
      ['buy.demo.localhost', onramp.site],
      ['pay.demo.localhost', smart.site],
      ...sitesByHost({ facts, site, wallet, sites }),
    ])
    const keysHost = new URL(facts.keys).hostname
    listener.serve((request) => {
      const host = hostOf(request)
      // The first bundler request retries a failed deployment and reports the error.
      if (host === keysHost && request.method === 'POST') smart.deploy().catch(() => undefined)
      // Tests that run in Node cannot resolve `mail.demo.localhost` on every system.
      if (host === '127.0.0.1' && new URL(request.url).pathname === '/mails.json') return inbox.site(request)
      return (hosts.get(host) ?? server.fetch)(request)
    })
    return { port: listener.port, facts, headers: strictHeaders(pagePolicy(facts)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).replace(/:\d+$/, '').toLowerCase()
}
