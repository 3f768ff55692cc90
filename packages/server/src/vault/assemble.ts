import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readSecrets } from '../data/secretFile.ts'
import { createIdentifyServer } from '../identify/app.ts'
import type { Server } from '../servedRoutes.ts'
import type { KeysSettings, Settings } from '../settings.ts'
import { createKeysServer, type KeysServer } from './app.ts'
import { createEmbedders } from './embedders.ts'
import { folderFrameFiles } from './frameFiles.ts'
import { localKeyService } from './keyService.ts'
import { smtpMailer } from './mailer.ts'
import type { FarcasterPlaces, VaultPorts } from './ports.ts'
import { providers } from './providers.ts'
import { smartPorts } from './smartPorts.ts'

// As published: the relay of the protocol's makers, the registry of ids on OP Mainnet.
const farcaster: FarcasterPlaces = {
  relay: 'https://relay.farcaster.xyz',
  chainId: 'eip155:10',
  registry: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b',
}

type Given = Pick<VaultPorts, 'connection' | 'projects' | 'chain' | 'metrics' | 'bus' | 'log' | 'rates' | 'inFlight'>

/** Wires the keys origin for Node; `ports` holds what it shares with the rest of the server, and more where it is given. */
export async function assembleKeys({
  settings,
  ports,
}: {
  settings: Settings & { keys: KeysSettings }
  ports: Given & Partial<VaultPorts>
}): Promise<{
  server: KeysServer
  identify: Server | undefined
  close: () => Promise<void>
}> {
  const { keys, dataFolder, rpcRequestBytes } = settings
  const mailer = ports.mailer ?? smtpMailer({ url: keys.smtpUrl, from: keys.mailFrom })
  // Looked for only where nobody brings one: a checkout whose frame is not built yet has none.
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
      identify: settings.identify?.url,
      smart: smartPorts({ settings, fetch: fetchWith(ports.fetch), metrics: ports.metrics, log: ports.log }),
      rateLimits: settings.rateLimits,
      fetch,
      now: Date.now,
      pause: (ms, signal) => pause(ms, undefined, { signal }),
      ...ports,
      mailer,
    },
    { rpcBytes: rpcRequestBytes },
  )
  const identify =
    settings.identify &&
    createIdentifyServer({
      settings: settings.identify,
      keys: keys.url,
      frameFiles,
      ancestors: createEmbedders(ports.projects).sources,
      inFlight: ports.inFlight,
      metrics: ports.metrics,
      log: ports.log,
    })
  return { server, identify, close: () => mailer.close() }
}

// The upstreams ask as `fetch` does; a port takes the request whole.
function fetchWith(port: VaultPorts['fetch'] = fetch): typeof fetch {
  return (input, init) => port(new Request(input, init))
}

/** The folder of the built frame that this package brings along. */
function packagedFrame(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('@latchkey/frame/files.json'))
  } catch {
    throw new Error('The key frame is not built: build @latchkey/frame, or set FRAME_DIR.')
  }
}
