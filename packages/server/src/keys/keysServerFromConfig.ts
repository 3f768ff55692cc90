import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { KeysConfig } from '../config/keysConfig.ts'
import type { Config } from '../config/readConfig.ts'
import type { Server } from '../http/routeList.ts'
import { smtpMailer } from '../mail/smtpMailer.ts'
import { readSecrets } from '../storage/secretFile.ts'
import { localEscrowKeyService } from './assistedShareKeyService.ts'
import { folderFrameFiles } from './frame/frameFiles.ts'
import { createEmbedders } from './http/embedderOrigins.ts'
import type { FarcasterEndpoints, KeysDependencies } from './keysDependencies.ts'
import { createKeysServer, type KeysServer } from './keysServer.ts'
import { providers } from './login/oauthProviders.ts'
import { createSmartAccountUpstreams } from './smartAccounts/smartAccountUpstreams.ts'
import { createIdentificationServer } from './visitorIdentification/identificationServer.ts'

// The official Farcaster relay, and the ID registry on OP Mainnet.
const farcaster: FarcasterEndpoints = {
  relay: 'https://relay.farcaster.xyz',
  chainId: 'eip155:10',
  registry: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b',
}

/** The dependencies that the keys origin shares with the rest of the server. */
export type SharedDependencies = Pick<
  KeysDependencies,
  'connection' | 'projects' | 'chain' | 'metrics' | 'bus' | 'log' | 'rateLimiter' | 'inFlight'
>

/** The server for the keys origin and, if configured, the server for visitor identification. */
export interface ConfiguredKeysServer {
  readonly server: KeysServer
  readonly identify: Server | undefined
  close(): Promise<void>
}

/**
 * Creates the server for the keys origin in Node.js. `dependencies` are shared with the rest of the server, and can override
 * defaults.
 */
export async function keysServerFromConfig({
  config,
  dependencies,
}: {
  config: Config & { keys: KeysConfig }
  dependencies: SharedDependencies & Partial<KeysDependencies>
}): Promise<ConfiguredKeysServer> {
  const { keys, dataFolder, rpcRequestBytes } = config
  const mailer = dependencies.mailer ?? smtpMailer({ url: keys.smtpUrl, from: keys.mailFrom })
  // The folder is resolved only if `frameFiles` is not passed, because it does not exist in a checkout without a built frame.
  const frameFiles = dependencies.frameFiles ?? folderFrameFiles(keys.frameFolder ?? packagedFrame())
  const server = createKeysServer(
    {
      origin: keys.url,
      secrets: keys.secrets ?? (await readSecrets({ file: join(dataFolder, 'secret'), log: dependencies.log })),
      frameFiles,
      social: new Map([...keys.social].map(([id, client]) => [id, { ...client, endpoints: providers[id].endpoints }])),
      farcaster: keys.farcaster ? farcaster : undefined,
      policy: {
        sessionMs: keys.sessionHours * 60 * 60_000,
        approveDevices: () => keys.deviceApproval,
        deviceHoldMs: keys.deviceHoldHours * 60 * 60_000,
        mailsPerHour: keys.mailsPerHour,
      },
      escrowKeyService: keys.escrowKey === undefined ? undefined : localEscrowKeyService(keys.escrowKey),
      smartSessions: keys.smartSessions,
      identify: config.identify?.url,
      smart: createSmartAccountUpstreams({
        config,
        fetch: fetchWith(dependencies.fetch),
        metrics: dependencies.metrics,
        log: dependencies.log,
      }),
      rateLimits: config.rateLimits,
      fetch,
      now: Date.now,
      pause: (ms, signal) => pause(ms, undefined, { signal }),
      ...dependencies,
      mailer,
    },
    { rpcBytes: rpcRequestBytes },
  )
  const identify =
    config.identify &&
    createIdentificationServer({
      config: config.identify,
      keys: keys.url,
      frameFiles,
      ancestors: createEmbedders(dependencies.projects).sources,
      inFlight: dependencies.inFlight,
      metrics: dependencies.metrics,
      log: dependencies.log,
    })
  return { server, identify, close: () => mailer.close() }
}

// Upstreams call `fetch(input, init)`, but the dependency takes a `Request`.
function fetchWith(send: KeysDependencies['fetch'] = fetch): typeof fetch {
  return (input, init) => send(new Request(input, init))
}

/** Returns the folder of the frame that is built in `@latchkey/frame`. Throws if the frame is not built. */
function packagedFrame(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('@latchkey/frame/files.json'))
  } catch {
    throw new Error('The key frame is not built. Build @latchkey/frame or set FRAME_DIR.')
  }
}
