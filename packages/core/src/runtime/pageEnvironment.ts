import type { Namespace } from '@latchkey/protocol/caip'
import type { MultichainConnector } from '../adapter.ts'
import { isMobileDevice } from '../lib/isMobileDevice.ts'
import type { Log } from '../lib/log.ts'
import type { LatchkeyServer } from '../lib/serverUrls.ts'
import type { KeyValueStorage, LatchkeyOptions } from '../options.ts'

/** The values that an instance takes from the host's options and from the page. They do not change. */
export interface PageEnvironment {
  /** The host's `fetch`, or the page's `fetch` by default. */
  readonly fetch: typeof fetch
  /** The configured server, if a project ID is set. */
  readonly server: LatchkeyServer | undefined
  readonly storage: KeyValueStorage | undefined
  mobile(): boolean
  /** The chain families of the host's adapters. */
  readonly namespaces: readonly Namespace[]
  /** The connector of the embedded wallet, if there is one. */
  readonly loginConnector: MultichainConnector | undefined
  /** The connector for remote wallets, if there is one. */
  readonly pairingConnector: MultichainConnector | undefined
  /** Whether the connect view links to the list of all wallets. */
  readonly listsAllWallets: boolean
  /** Whether users sign in after connecting. */
  readonly signsIn: boolean
}

/** Returns the environment for an instance. */
export function pageEnvironment(options: LatchkeyOptions, log: Pick<Log, 'warn'>): PageEnvironment {
  const { adapters = [], wallets = [], projectId, platform, signIn = 'off' } = options
  const server =
    options.server && projectId ? { url: options.server, projectId, alternative: options.serverAlternative } : undefined
  return {
    fetch: (...params) => (options.fetch ?? fetch)(...params),
    server,
    storage: options.storage ?? pageStorage(log),
    mobile: () => (platform ? platform === 'mobile' : isMobileDevice()),
    namespaces: [...new Set(adapters.map(({ namespace }) => namespace))],
    loginConnector: wallets.find(({ wallet }) => wallet),
    pairingConnector: wallets.find(({ pairing }) => pairing),
    listsAllWallets: server !== undefined && options.features?.allWallets !== false,
    signsIn: signIn !== 'off' && (options.authentication ?? server) !== undefined,
  }
}

/** Returns the page's localStorage. Reading the property can throw if access to storage is denied. */
function pageStorage(log: Pick<Log, 'warn'>): KeyValueStorage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : window.localStorage
  } catch (error) {
    log.warn('Unable to get local storage', error)
    return undefined
  }
}
