import {
  type AssembledServer,
  createLog,
  createNodeServer,
  type Mailer,
  type Projects,
  readConfig,
  type SmartAccountUpstreams,
} from '@latchkey/server'
import { loadFrameFiles } from './loadFrameFiles.ts'
import { localNamesZone, localResolverKey } from './localEns.ts'
import { localFetch } from './localFetch.ts'
import type { MockLoginServices } from './mockLoginServices.ts'
import type { MockOnramp } from './mockOnramp.ts'
import { directoryWith, testWallet } from './testWalletListing.ts'

/** The only project ID that pages in the environment use. */
export const localProjectId = 'local'
const projectName = 'Local environment'

/**
 * Creates the server with local services in place of the services that an operator would configure. The server does not listen
 * yet.
 */
export async function openLocalServer({
  folder,
  urls,
  frame,
  rpcUrls,
  chainsFile,
  mail,
  login,
  onramp,
  smart,
  origins,
}: {
  /** The data folder. */
  folder: string
  /** The origins of the keys frame and, if they are served, of visitor identification and the web wallet. */
  urls: { readonly keys: string; readonly identify?: string | undefined; readonly wallet?: string | undefined }
  /** The folder of a built key frame. Defaults to the build in the `@latchkey/frame` package. */
  frame: string | undefined
  /** The RPC URLs of the nodes, keyed by CAIP-2 chain ID. */
  rpcUrls: Readonly<Record<string, string>>
  /** The path of the file that describes the chains. */
  chainsFile: string
  mail: { readonly from: string; readonly mailer: Mailer }
  login: Pick<MockLoginServices, 'social' | 'farcaster'>
  /** The credentials and URLs of the mock seller of crypto. */
  onramp: MockOnramp['credentials']
  smart: SmartAccountUpstreams
  /** The origins of pages on hosts other than localhost that can use the server and embed the frame. */
  origins: readonly string[]
}): Promise<AssembledServer> {
  const chains = Object.keys(rpcUrls)
  const wallets = urls.wallet === undefined ? [] : [testWallet({ origin: urls.wallet, chains })]
  const server = await createNodeServer({
    config: readConfig({
      DATA_DIR: folder,
      // Opening the database takes up to a second, which would delay a developer's first request after each pause.
      DATABASE_IDLE_SECONDS: '600',
      ...(wallets.length > 0 ? { WALLETS_FILE: await directoryWith(wallets, folder) } : {}),
      KEYS_URL: urls.keys,
      ...(urls.identify === undefined ? {} : { IDENTIFY_URL: urls.identify }),
      // The configuration requires this URL, but it is not used. The inbox starts its own SMTP server with the first email.
      SMTP_URL: 'smtp://127.0.0.1',
      MAIL_FROM: mail.from,
      RPC_URLS: Object.entries(rpcUrls)
        .map(([chain, url]) => `${chain}=${url}`)
        .join(';'),
      CHAINS_FILE: chainsFile,
      RPC_EXTRA_METHODS: 'anvil_*',
      SMART_SESSIONS: 'on',
      NAMES_ZONE: localNamesZone,
      NAMES_RESOLVER_KEY: localResolverKey,
      COINBASE_API_KEY_ID: onramp.keyId,
      COINBASE_API_KEY_SECRET: onramp.keySecret,
      COINBASE_API_URL: onramp.apiUrl,
      COINBASE_PAY_URL: onramp.payUrl,
    }),
    log: createLog({ level: 'warn', write: (line) => process.stderr.write(line) }),
    keys: {
      mailer: mail.mailer,
      social: login.social,
      farcaster: login.farcaster,
      fetch: localFetch,
      frameFiles: loadFrameFiles(frame),
      smart,
      policy: {
        sessionMs: 7 * 24 * 60 * 60_000,
        // Settings that an operator might choose. They make it possible to try device approval without a second server.
        deviceHoldMs: 24 * 60 * 60_000,
        approveDevices: (email) => email.endsWith('@careful.example'),
        mailsPerHour: 2000,
      },
    },
  })
  await registerOrigins(server.projects, origins).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  return server
}

/**
 * Registers `origins` as an operator would. If `origins` is empty, removes the origins that an earlier start in the same folder
 * registered.
 */
async function registerOrigins(projects: Projects, origins: readonly string[]): Promise<void> {
  if (origins.length > 0) {
    const project = { id: localProjectId, name: projectName, allowedOrigins: origins, features: [], analytics: true }
    return projects.save(project)
  }
  const stored = await projects.all()
  if (stored.some(({ id, name }) => id === localProjectId && name === projectName))
    await projects.remove(localProjectId)
}
