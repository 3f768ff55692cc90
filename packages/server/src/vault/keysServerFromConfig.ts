import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config, KeysConfig } from '../config.ts'
import { readSecrets } from '../data/secretFile.ts'
import { createIdentifyServer } from '../identify/identifyServer.ts'
import type { Server } from '../routeList.ts'
import { createEmbedders } from './embedderOrigins.ts'
import { folderFrameFiles } from './frameFiles.ts'
import { localKeyService } from './keyService.ts'
import { createKeysServer, type KeysServer } from './keysServer.ts'
import { providers } from './oauthProviders.ts'
import { smartAccountPorts } from './smartAccountPorts.ts'
import { smtpMailer } from './smtpMailer.ts'
import type { FarcasterEndpoints, VaultPorts } from './vaultPorts.ts'

// The published values: the official Farcaster relay and the ID registry on OP Mainnet.
const farcaster: FarcasterEndpoints = {
  relay: 'https://relay.farcaster.xyz',
  chainId: 'eip155:10',
  registry: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b',
}

type Given = Pick<
  VaultPorts,
  'connection' | 'projects' | 'chain' | 'metrics' | 'bus' | 'log' | 'rateLimiter' | 'inFlight'
>

/** Creates the keys origin for Node. `ports` contains the ports shared with the rest of the server, and optional overrides. */
export async function keysServerFromConfig({
  config,
  ports,
}: {
  config: Config & { keys: KeysConfig }
  ports: Given & Partial<VaultPorts>
}): Promise<{
  server: KeysServer
  identify: Server | undefined
  close: () => Promise<void>
}> {
  const { keys, dataFolder, rpcRequestBytes } = config
  const mailer = ports.mailer ?? smtpMailer({ url: keys.smtpUrl, from: keys.mailFrom })
  // Resolved only if no port is given, as a checkout without a built frame has no folder.
  const frameFiles = ports.frameFiles ?? folderFrameFiles(keys.frameFolder ?? packagedFrame())
  const server = createKeysServer(
    {
      origin: keys.url,
      secrets: keys.secrets ?? (await readSecrets({ file: join(dataFolder, 'secret'), log: ports.log })),
      frameFiles,
      social: new Map([...keys.social].map(([id, client]) => [id, { ...client, endpoints: providers[id].endpoints }])),
      farcaster: keys.farcaster ? farcaster : undefined,
      policy: {
        sessionMs: keys.sessionHours * 60 * 60_000,
        approveDevices: () => keys.deviceApproval,
        deviceHoldMs: keys.deviceHoldHours * 60 * 60_000,
        mailsPerHour: keys.mailsPerHour,
      },
      keyService: keys.escrowKey === undefined ? undefined : localKeyService(keys.escrowKey),
      smartSessions: keys.smartSessions,
      identify: config.identify?.url,
      smart: smartAccountPorts({ config, fetch: fetchWith(ports.fetch), metrics: ports.metrics, log: ports.log }),
      rateLimits: config.rateLimits,
      fetch,
      now: Date.now,
      pause: (ms, signal) => pause(ms, undefined, { signal }),
      ...ports,
      mailer,
    },
    { rpcBytes: rpcRequestBytes },
  )
  const identify =
    config.identify &&
    createIdentifyServer({
      config: config.identify,
      keys: keys.url,
      frameFiles,
      ancestors: createEmbedders(ports.projects).sources,
      inFlight: ports.inFlight,
      metrics: ports.metrics,
      log: ports.log,
    })
  return { server, identify, close: () => mailer.close() }
}

// The upstreams call `fetch(input, init)`; the port takes a `Request`.
function fetchWith(port: VaultPorts['fetch'] = fetch): typeof fetch {
  return (input, init) => port(new Request(input, init))
}

/** The folder of the built frame that ships with this package. */
function packagedFrame(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('@latchkey/frame/files.json'))
  } catch {
    throw new Error('The key frame is not built. Build @latchkey/frame or set FRAME_DIR.')
  }
}
